// Keywords for people: they say something about a value, and decide about none.

const TEXTS: ReadonlySet<string> = new Set([
  "title",
  "summary",
  "description",
  "$comment",
  "externalDocs",
  "example",
  "examples",
  "tags",
]);

const HINTS: ReadonlySet<string> = new Set([
  "deprecated",
  "discriminator",
  "xml",
  "contentMediaType",
  "contentEncoding",
  "contentSchema",
]);

export function isAnnotation(keyword: string): boolean {
  return isText(keyword) || HINTS.has(keyword);
}

/** True for what only people read: another value of it means nothing to a program. */
export function isText(keyword: string): boolean {
  return TEXTS.has(keyword) || keyword.startsWith("x-");
}
