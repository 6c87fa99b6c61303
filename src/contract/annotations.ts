// Keywords for people: they say something about a value, and decide about none.

const ANNOTATIONS: ReadonlySet<string> = new Set([
  "title",
  "summary",
  "description",
  "$comment",
  "externalDocs",
  "example",
  "examples",
  "deprecated",
  "discriminator",
  "xml",
  "tags",
  "contentMediaType",
  "contentEncoding",
  "contentSchema",
]);

export function isAnnotation(keyword: string): boolean {
  return ANNOTATIONS.has(keyword) || keyword.startsWith("x-");
}
