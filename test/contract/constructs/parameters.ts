// How the text of a parameter becomes a value: once for the whole schema, whatever its keywords.
import { type Construct, json, list, object, parameter, ref, text, whole } from "./construct.js";

export const PARAMETERS: Construct[] = [
  parameter("a list that may be null", { name: "a", schema: { anyOf: [list(text), { type: "null" }] } }, [
    ["?a=b", 200],
    ["?a=b&a=c", 200],
  ]),
  parameter("a number or a truth value", { name: "a", schema: { oneOf: [whole, { type: "boolean" }] } }, [
    ["?a=1", 200],
    ["?a=true", 200],
    ["?a=b", "query.a"],
  ]),
  parameter("a constant without a type", { name: "a", schema: { const: 5 } }, [
    ["?a=5", 200],
    ["?a=6", "query.a"],
  ]),
  parameter("brackets in a name", { name: "page[size]", required: true, schema: { type: "integer", maximum: 9 } }, [
    ["?page[size]=4", 200],
    ["?page%5Bsize%5D=4", 200],
    ["?page[size]=44", "query.page[size]"],
    ["?page%5Bsize%5D=x", "query.page[size]"],
    ["", "query.page[size]"],
  ]),
  parameter("numbers of JSON alone", { name: "a", schema: { type: "number" } }, [
    ["?a=1.5e2", 200],
    ["?a=Infinity", "query.a"],
    ["?a=0x10", "query.a"],
    ["?a=%201", "query.a"],
  ]),
  parameter("reserved characters without encoding", { name: "a", schema: { type: "string", format: "date-time" } }, [
    ["?a=2026-01-02T10:00:00Z", 200],
    ["?a=x:$,", "query.a"],
  ]),
  parameter("a list joined by commas", { name: "a", explode: false, schema: list(whole) }, [
    ["?a=1,2", 200],
    ["?a=1,b", "query.a.1"],
  ]),
  parameter("a second question mark", { name: "a", schema: text }, [["?a=b?c", 200]]),
  parameter("a form of objects in brackets", { name: "a", style: "deepObject", schema: object({ b: whole }) }, [
    ["", 200],
    ["?a[b]=1", 200],
  ]),
  parameter("a required list", { name: "a", required: true, schema: list(whole) }, [
    ["?a=1&a=2", 200],
    ["", "query.a"],
  ]),
  parameter("JSON by content", { name: "a", ...json(object({ b: whole }, { required: ["b"] })) }, [
    ["", 200],
    ["?a=%7B%22b%22%3A1%7D", 200],
  ]),
  {
    title: "a reference to a reference",
    item: { get: { parameters: [ref("First", "parameters")] } },
    components: {
      parameters: { First: ref("Second", "parameters"), Second: { name: "a", in: "query", schema: whole } },
    },
    tries: [
      ["", 200],
      ["?a=2", 200],
      ["?a=b", "query.a"],
    ],
  },
];
