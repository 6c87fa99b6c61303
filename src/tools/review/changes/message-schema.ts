// Describes all requests, or all responses, of an operation as one schema: by location, then by name. Any change of a
// contract, from the style of a parameter to a member of a body, changes these schemas. What has no form in a schema
// stands in `REST`.
import { isText } from "../../../contract/grammar.js";
import { mapDefined } from "../../../contract/lists.js";
import { memoize } from "../../../contract/memoize.js";
import type { DeclaredResponse, Header, Parameter, RequestBody } from "../../../contract/model.js";
import type { Pointer } from "../../../contract/pointer.js";
import type { SchemaObject } from "../../../contract/schema.js";
import type { MessageSide } from "./change.js";
import { requirementsOf } from "./credentials.js";
import { type ResolvedSchema, resolveSchema } from "./resolved-schema.js";
import { mediaTypeNameOf, type OperationVersion, parametersIn, writtenAt } from "./reviewed-contract.js";

/** Values by name, the body by media type. */
export interface RequestMessage {
  path?: Record<string, unknown>;
  query?: Record<string, unknown>;
  header?: Record<string, unknown>;
  cookie?: Record<string, unknown>;
  body?: Record<string, unknown>;
  /** One of `requirementsOf`. */
  security?: string;
}

/** By status. */
export type ResponseMessage = Record<string, { header?: Record<string, unknown>; body?: Record<string, unknown> }>;

/** The schema of all requests or all responses; the same object each time. */
export function buildMessageSchema(version: OperationVersion, side: MessageSide): ResolvedSchema {
  return side === "request" ? requestsOf(version) : responsesOf(version);
}

const requestsOf = memoize((version: OperationVersion) => resolveSchema(version.contract, [buildRequests(version)]));
const responsesOf = memoize((version: OperationVersion) => resolveSchema(version.contract, [buildResponses(version)]));

interface Member {
  name: string;
  schema: SchemaObject;
  isRequired?: boolean | undefined;
}

function buildObject(members: readonly Member[], more: object = {}): SchemaObject {
  return {
    type: "object",
    properties: Object.fromEntries(members.map(({ name, schema }) => [name, schema])),
    required: mapDefined(members, ({ name, isRequired }) => (isRequired ? name : undefined)),
    ...more,
  };
}

const CLOSED = { additionalProperties: false };

/** The keyword for members of an OpenAPI object that the review does not interpret, by name. They must be the same. */
export const REST = "review:rest";

/** Without an effect on messages: they are compared as texts. */
const HINTS = ["operationId", "links"];

function restOf(object: object, interpreted: readonly string[]): Record<string, Record<string, unknown>> {
  const known = [...interpreted, ...HINTS];
  const rest = Object.entries(object).filter(([key]) => !isText(key) && !known.includes(key));
  return rest.length > 0 ? { [REST]: Object.fromEntries(rest) } : {};
}

/** Keywords of parameters, headers and media types that become keywords of their schema, or that other code reads. */
const VALUE_KEYWORDS = [
  "name",
  "in",
  "required",
  "schema",
  "content",
  "style",
  "explode",
  "allowReserved",
  "allowEmptyValue",
  "deprecated",
];

/**
 * The schema of a parameter, header or media type, with the keywords that change its meaning and its place in the file.
 */
function buildValue(
  version: OperationVersion,
  { schema, pointer, mediaType }: Pick<Header, "schema" | "pointer" | "mediaType">,
  keywords: object = {},
): SchemaObject {
  const written = writtenAt(version, pointer);
  const media = mediaType === undefined ? {} : writtenAt(version, [...pointer, "content", mediaType]);
  const { example = media.example } = written;
  return {
    ...(schema ? { allOf: [schema.node as SchemaObject] } : {}),
    ...(example === undefined ? {} : { examples: [example] }),
    ...(mediaType === undefined ? {} : { serialization: mediaTypeNameOf(mediaType) }),
    ...restOf({ ...media, ...written }, isEncoded(pointer) ? VALUE_KEYWORDS : [...VALUE_KEYWORDS, "encoding"]),
    ...keywords,
    "x-place": pointer,
  };
}

/** `encoding` is about the parts of a form, and of no effect in other media types. */
const isEncoded = (pointer: Pointer) =>
  /^(multipart\/|application\/x-www-form-urlencoded)/i.test(String(pointer.at(-1)));

function buildRequests(version: OperationVersion): SchemaObject {
  const { body, pointer, isDeprecated: deprecated } = version.operation;
  const inLocation = (location: Parameter["in"]) =>
    [...parametersIn(version, location)].map(([name, parameter]) => buildParameter(version, name, parameter));
  const members = [
    { name: "path", schema: buildObject(inLocation("path")), isRequired: true },
    // Unknown parameters are rejected (D-28).
    { name: "query", schema: buildObject(inLocation("query"), CLOSED), isRequired: true },
    { name: "header", schema: buildObject(inLocation("header")), isRequired: true },
    { name: "cookie", schema: buildObject(inLocation("cookie")), isRequired: true },
    { name: "security", schema: buildSecurity(version), isRequired: true },
    // A server that expects no body ignores one.
    ...(body ? [{ name: "body", schema: buildBody(version, body), isRequired: body.isRequired }] : []),
  ];
  const interpreted = ["parameters", "responses", "security", "servers", "requestBody", "deprecated"];
  const rest = restOf(writtenAt(version, pointer), interpreted);
  return buildObject(members, { deprecated, ...rest, "x-place": pointer });
}

function buildParameter(version: OperationVersion, name: string, parameter: Parameter): Member {
  const deprecation = deprecationOf(parameter.isDeprecated);
  const serialization = {
    style: parameter.style,
    explode: parameter.isExploded,
    allowReserved: parameter.allowsReserved,
    allowEmptyValue: parameter.allowsEmptyValue,
    "x-literal-plus": parameter.hasLiteralPlus,
  };
  const keywords = { ...(parameter.mediaType === undefined ? serialization : {}), ...deprecation };
  return { name, schema: buildValue(version, parameter, keywords), isRequired: parameter.isRequired };
}

/** Nothing instead of false, which would hide what the schema says. */
const deprecationOf = (deprecated: boolean) => (deprecated ? { deprecated } : {});

function buildBody(version: OperationVersion, { content, pointer }: RequestBody | DeclaredResponse): SchemaObject {
  const types = content.map(({ type, schema, pointer: place }) => ({
    name: mediaTypeNameOf(type),
    schema: buildValue(version, { schema, pointer: place, mediaType: undefined }),
  }));
  // At least one, so that samples have a body.
  return buildObject(types, {
    ...CLOSED,
    minProperties: Math.min(types.length, 1),
    "x-place": pointer,
    ...restOf(writtenAt(version, pointer), ["content", "required", "headers"]),
  });
}

function buildSecurity(version: OperationVersion): SchemaObject {
  return { enum: requirementsOf(version) };
}

function buildResponses(version: OperationVersion): SchemaObject {
  const { operation } = version;
  const statuses = operation.responses.map((response): Member => {
    const declared = response.headers.filter(({ name }) => name.toLowerCase() !== "content-type");
    const members = [
      { name: "header", schema: buildObject(declared.map(buildHeader), CLOSED), isRequired: true },
      { name: "body", schema: buildBody(version, response), isRequired: response.content.length > 0 },
    ];
    return { name: response.key, schema: buildObject(members, { "x-place": response.pointer }) };
  });
  return buildObject(statuses, { ...CLOSED, "x-place": [...operation.pointer, "responses"] });

  function buildHeader(header: Header): Member {
    const { deprecated } = writtenAt(version, header.pointer);
    const serialization = header.mediaType === undefined ? { explode: header.isExploded } : {};
    const schema = buildValue(version, header, { ...serialization, ...deprecationOf(deprecated === true) });
    return { name: header.name.toLowerCase(), schema, isRequired: header.isRequired };
  }
}
