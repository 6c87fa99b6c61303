// A value that a schema allows: an example where there is one, else the smallest that can be made.
import { itemsOf, memberOf, type SchemaView, typesOf, viewOf, written } from "./schema-view.js";

const TEXTS: Record<string, string> = {
  "date-time": "2026-01-01T00:00:00.000Z",
  date: "2026-01-01",
  uuid: "0d4a3b9e-5f57-4a70-9d55-6b1f9d2c8a11",
};

export function sampleOf(view: SchemaView): unknown {
  const [example] = [
    ...written(view, "const").map(({ value }) => value),
    ...written<unknown[]>(view, "examples").map(({ value }) => value[0]),
    ...written<unknown[]>(view, "enum").map(({ value }) => value[0]),
  ];
  if (example !== undefined) return example;
  const [type] = typesOf(view).filter((known) => known !== "null");
  if (written(view, "type").length === 0 && written(view, "properties").length === 0) return "text";
  const limit = (keyword: string) => Math.max(0, ...written<number>(view, keyword).map(({ value }) => value));
  if (type === "array") return Array.from({ length: limit("minItems") }, () => sampleOf(itemsOf(view)));
  if (type === "boolean") return true;
  if (type === "integer" || type === "number") return limit("minimum");
  if (type === "string")
    return TEXTS[String(written(view, "format")[0]?.value)] ?? "text".padEnd(limit("minLength"), "x");
  const names = written<string[]>(view, "required").flatMap(({ value }) => value);
  return Object.fromEntries(names.map((name) => [name, sampleOf(memberOf(view, name) ?? viewOf(view.contract))]));
}
