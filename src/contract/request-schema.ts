// The schema of a whole request of an operation: its parameters by place, and its body in one media type. Validators,
// the contract tests and the proxy all check requests by it.
import { memoize } from "./memoize.js";
import type { MediaType, Operation, Parameter } from "./model.js";
import { nameIn } from "./parameter-text.js";
import type { Schema } from "./schema.js";

/** The values of a request, read from their texts. The body is absent if the request has none. */
export interface RequestValues {
  query: Record<string, unknown>;
  header: Record<string, unknown>;
  path: Record<string, unknown>;
  cookie: Record<string, unknown>;
  body?: unknown;
}

const PLACES = ["query", "header", "path", "cookie"] as const;
const schemasOf = memoize((_operation: Operation) => new Map<MediaType | undefined, Schema>());

/** @param media the form of the body; undefined for a request without a body. */
export function requestSchemaOf(operation: Operation, media: MediaType | undefined): Schema {
  const schemas = schemasOf(operation);
  const schema = schemas.get(media) ?? createRequestSchema(operation, media);
  schemas.set(media, schema);
  return schema;
}

function createRequestSchema({ parameters, body, schemaOf }: Operation, media: MediaType | undefined): Schema {
  const places = PLACES.map((place) => [place, objectOf(parameters.filter((parameter) => parameter.in === place))]);
  const own = media?.isJson && media.schema ? { body: media.schema.node } : {};
  return schemaOf({
    type: "object",
    properties: { ...Object.fromEntries(places), ...own },
    ...(body?.isRequired ? { required: ["body"] } : {}),
  });
}

/** OpenAPI ignores parameters of these headers: `content` and `security` define them. */
export const isIgnoredHeader = (name: string) => /^(accept|content-type|authorization)$/i.test(name);

/** Headers are called in lower case, as Node names them. */
function objectOf(parameters: readonly Parameter[]): object {
  const named = parameters
    .filter((parameter) => parameter.in !== "header" || !isIgnoredHeader(parameter.name))
    .map((parameter) => [nameIn(parameter), parameter] as const);
  const required = named.filter(([, { isRequired }]) => isRequired).map(([name]) => name);
  const properties = Object.fromEntries(named.map(([name, { schema }]) => [name, schema.node]));
  return { type: "object", properties, ...(required.length > 0 ? { required } : {}) };
}
