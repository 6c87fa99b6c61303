// The references of a value that is a part of a document: which there are, what they lead to, and a copy with others.
import { toPointer, valueAt } from "./openapi-document.js";

/** All references in a value, and in what they lead to, each once. */
export function findReferences(value: unknown, document: object, references = new Set<string>()): Set<string> {
  if (typeof value !== "object" || value === null) return references;
  for (const [key, member] of Object.entries(value)) {
    if (key !== "$ref" || typeof member !== "string") findReferences(member, document, references);
    else if (!references.has(member))
      findReferences(valueAt(document, toPointer(member)), document, references.add(member));
  }
  return references;
}

/** The components that a value refers to, directly or through others, in the order of the document. */
export function pickComponents(
  value: unknown,
  document: { components: object; paths?: object },
): Record<string, object> {
  const pointers = [...findReferences(value, document)].map(toPointer);
  const sections = Object.entries(document.components).map(([section, components]) => {
    const isReferred = ([name]: [string, unknown]) =>
      pointers.some(([, other, component]) => other === section && component === name);
    return [section, Object.fromEntries(Object.entries(components as object).filter(isReferred))];
  });
  return Object.fromEntries(sections);
}

/** A copy of a JSON value whose references are rewritten. */
export function rewriteReferences<T>(value: T, rewrite: (reference: string) => string): T {
  return JSON.parse(JSON.stringify(value), (key, member) =>
    key === "$ref" && typeof member === "string" ? rewrite(member) : member,
  );
}
