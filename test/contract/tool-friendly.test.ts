// Properties of the two contracts that other tools depend on: YAML parsers, code generators, and tools that send
// examples.
import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { isCollection, isPair, isScalar, parse, parseDocument, visit } from "yaml";
import { CONTRACT_PATH, CONTROL_CONTRACT_PATH } from "../../src/contract/contract-file.js";
import type { OpenApiDocument } from "../../src/contract/openapi-document.js";
import { contract } from "../support/contract.js";

describe.each([
  ["openapi.yaml", CONTRACT_PATH],
  ["control.openapi.yaml", CONTROL_CONTRACT_PATH],
])("%s", async (_name, path) => {
  const text = await readFile(path, "utf8");
  const tree = parseDocument(text);
  const document: OpenApiDocument = tree.toJS();

  test("means the same in YAML 1.1, which reads unquoted dates, yes, no and 09:00 otherwise", () => {
    expect(parse(text, { version: "1.1" })).toEqual(document);
  });

  test("quotes scalars with a colon within braces and brackets, which older parsers take for mappings", () => {
    const unquoted: string[] = [];
    visit(tree, {
      Scalar(_key, { type, source = "" }, ancestors) {
        const isInFlow = ancestors.some((node) => !isPair(node) && isCollection(node) && node.flow);
        if (isInFlow && type === "PLAIN" && source.includes(":")) unquoted.push(source);
      },
    });
    expect(unquoted).toEqual([]);
  });

  test("has no unquoted text with a comma within braces, which would end there and go on as another key", () => {
    const keys: string[] = [];
    visit(tree, {
      Pair(_key, { key }) {
        if (isScalar(key)) keys.push(String(key.value));
      },
    });
    expect(keys.filter((key) => key.includes(" "))).toEqual([]);
  });

  test("has no line of more than 120 columns, so that a diff shows it beside another one", () => {
    expect(text.split("\n").filter((line) => line.length > 120)).toEqual([]);
  });

  test("has no schema named like a global of the languages that code is generated in", () => {
    const globals = Object.getOwnPropertyNames(globalThis);
    expect(Object.keys(document.components.schemas).filter((name) => globals.includes(name))).toEqual([]);
  });
});

describe("openapi.yaml", async () => {
  const { servers, components } = contract.document;

  test("has a literal server address", () => {
    expect(servers?.map(({ url, variables }) => [url, variables])).toEqual([["http://127.0.0.1:4010", undefined]]);
  });

  test("has no fixed example of an idempotency key: tools would send it with different bodies", () => {
    const keys = Object.values(components.parameters).filter(({ name }) => name === "idempotency-key");
    expect(keys.length).toBe(2);
    for (const key of keys) {
      expect(Object.keys(key)).not.toContain("example");
      expect(Object.keys(key)).not.toContain("examples");
      expect(Object.keys(key.schema)).not.toContain("examples");
    }
  });
});
