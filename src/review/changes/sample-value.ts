// A value that a schema allows: an example where it has one, else the smallest.
import { itemsOf, keywordValues, memberOf, type SchemaView, typesOf, viewOf } from "./schema-view.js";

const TEXTS: Record<string, string> = {
  "date-time": "2026-01-01T00:00:00.000Z",
  date: "2026-01-01",
  uuid: "0d4a3b9e-5f57-4a70-9d55-6b1f9d2c8a11",
};

export function sampleValue(view: SchemaView): unknown {
  const [example] = [
    ...keywordValues(view, "const"),
    ...keywordValues<unknown[]>(view, "examples").map(([first]) => first),
    ...keywordValues<unknown[]>(view, "enum").map(([first]) => first),
  ];
  if (example !== undefined) return example;
  if (keywordValues(view, "type").length === 0 && keywordValues(view, "properties").length === 0) return "text";
  const limit = (keyword: string) => Math.max(0, ...keywordValues<number>(view, keyword));
  const names = keywordValues<string[]>(view, "required").flat();
  switch (typesOf(view).find((type) => type !== "null")) {
    case "array":
      return Array.from({ length: limit("minItems") }, () => sampleValue(itemsOf(view)));
    case "boolean":
      return true;
    case "integer":
    case "number":
      return limit("minimum");
    case "string":
      return TEXTS[String(keywordValues(view, "format")[0])] ?? "text".padEnd(limit("minLength"), "x");
    default:
      return Object.fromEntries(
        names.map((name) => [name, sampleValue(memberOf(view, name) ?? viewOf(view.contract))]),
      );
  }
}
