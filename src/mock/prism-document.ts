// The contract as Prism is given it.
import type { OpenApiDocument } from "../contract/openapi-document.js";

/** Prism would answer a schema's own first example before the named examples of the answer (@stoplight/http-spec 7.1.0). */
export function toPrismDocument(document: OpenApiDocument): OpenApiDocument {
  const schemas = Object.entries(document.components.schemas).map(([name, { examples, ...schema }]) => [name, schema]);
  return { ...document, components: { ...document.components, schemas: Object.fromEntries(schemas) } };
}
