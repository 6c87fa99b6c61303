import { describe, expect, test } from "vitest";
import type { ParameterObject } from "../../../src/contract/openapi-document.js";
import { createReadQuery } from "../../../src/contract/parameter-reader.js";
import { splitTarget } from "../../../src/contract/target.js";
import { createEditedContract } from "../../support/edited-contract.js";

const PARAMETERS = [
  { name: "list", in: "query", allowEmptyValue: true, schema: { type: "array", items: { type: "string" } } },
  { name: "text", in: "query", allowEmptyValue: true, schema: { type: "string" } },
  { name: "address", in: "query", schema: { type: "string" }, "x-literal-plus": true },
  { name: "limit", in: "query", schema: { type: "integer" } },
  { name: "numbers", in: "query", schema: { type: ["integer", "array"], items: { type: "integer" } } },
  { name: "joined", in: "query", explode: false, schema: { type: "array", items: { type: "string" } } },
  { name: "object", in: "query", schema: { type: "object", properties: { member: { type: "string" } } } },
  { name: "other", in: "header", schema: { type: "string" } },
];

const { findOperation } = createEditedContract(({ paths }) => {
  const { get } = paths["/v1/notifications"] ?? {};
  if (get) get.parameters = PARAMETERS as ParameterObject[];
});
const readQuery = createReadQuery(findOperation("GET", "/v1/notifications") ?? { parameters: [], security: [] });

describe("the query string (D-26, D-27, D-28, D-67)", () => {
  test.each([
    ["", {}, []],
    ["&&", {}, []],
    ["list=a", { list: ["a"] }, []],
    ["list=a&list=b&list=a", { list: ["a", "b", "a"] }, []],
    ["list=a,b", { list: ["a,b"] }, []],
    ["list=&list=b", { list: ["b"] }, []],
    ["list=&text=", {}, []],
    ["text", {}, []],
    ["limit=", { limit: "" }, []],
    ["limit=1&limit=2", { limit: ["1", "2"] }, []],
    ["numbers=1", { numbers: 1 }, []],
    ["numbers=1&numbers=2", { numbers: [1, 2] }, []],
    ["joined=a,b", { joined: ["a", "b"] }, []],
    ["member=a", { object: { member: "a" } }, []],
    ["text=a+b%2Bc", { text: "a b+c" }, []],
    ["address=a+b%2Bc@example.com", { address: "a+b+c@example.com" }, []],
    ["text=a=b:c/d?e", { text: "a=b:c/d?e" }, []],
    ["te%78t=x", { text: "x" }, []],
    ["list[]=a&list%5B0%5D=b", {}, ["list[]", "list[0]"]],
    ["other=1&other=2&Text=3", {}, ["other", "Text"]],
    ["__proto__=1&constructor=2", {}, ["__proto__", "constructor"]],
  ])("%s", (text, values, unknown) => {
    const { values: read, unknown: names } = readQuery(splitTarget(`/?${text}`).query);
    expect({ values: { ...read }, unknown: names }).toEqual({ values, unknown });
  });

  test.each(["text=%", "text=%E0%A4%A", "%ZZ=1", "text=%C0%80"])("%s cannot be decoded", (text) => {
    expect(() => readQuery(text)).toThrow(URIError);
  });
});
