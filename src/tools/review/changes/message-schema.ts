// Describes all requests, or all responses, of an operation as one schema: by location, then by name. Any change of a contract,
// from the style of a parameter to a member of a body, changes these schemas. What has no form in a schema stands in `REST`.

import { isJson } from "../../../contract/media-type.js";
import { memoize } from "../../../contract/memoize.js";
import type {
  HeaderObject,
  MediaTypeObject,
  ResponseObject,
  SchemaObject,
} from "../../../contract/openapi-document.js";
import { valueAt } from "../../../contract/pointer.js";
import type { MessageSide } from "./change.js";
import { requirementsOf } from "./credentials.js";
import {
  type OperationVersion,
  parametersIn,
  pointerTo,
  type ReviewedParameter,
  serializationOf,
} from "./operation-version.js";
import { type ResolvedSchema, resolveSchema } from "./resolved-schema.js";

/** Values by name, path parameters by position, the body by media type. */
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
export function toMessageSchema(version: OperationVersion, side: MessageSide): ResolvedSchema {
  return schemasOf(version)[side];
}

const schemasOf = memoize((version: OperationVersion) => ({
  request: resolveSchema(version.contract, [toRequestSchema(version)]),
  response: resolveSchema(version.contract, [toResponsesSchema(version)]),
}));

interface Member {
  name: string;
  schema: SchemaObject;
  isRequired?: boolean | undefined;
}

function toObject(members: readonly Member[], more: object = {}): SchemaObject {
  return {
    type: "object",
    properties: Object.fromEntries(members.map(({ name, schema }) => [name, schema])),
    required: members.flatMap(({ name, isRequired }) => (isRequired ? [name] : [])),
    ...more,
  };
}

const CLOSED = { additionalProperties: false };

/** The keyword for members of an OpenAPI object that the review does not interpret, by name. They must be the same. */
export const REST = "review:rest";

/** For people, without an effect on messages. Hints such as links are compared as texts. */
const TEXTS = /^(description|summary|tags|externalDocs|operationId|examples?|links|x-.*)$/;

function restOf(object: object, interpreted: readonly string[]): Record<string, Record<string, unknown>> {
  const rest = Object.entries(object).filter(([key]) => !TEXTS.test(key) && !interpreted.includes(key));
  return rest.length > 0 ? { [REST]: Object.fromEntries(rest) } : {};
}

/** Keywords of parameters, headers and media types that become keywords of their schema, or that other code reads. */
const VALUE_KEYWORDS = [
  ...["name", "in", "required", "schema", "content", "style", "explode", "allowReserved", "allowEmptyValue"],
  "deprecated",
];

/** The schema of a parameter, header or media type, with the keywords that change its meaning and its place in the file. */
function toValue(
  { contract }: OperationVersion,
  object: { schema?: SchemaObject; example?: unknown; content?: Record<string, MediaTypeObject> },
  keywords: object = {},
): SchemaObject {
  const [[mediaType, media] = [undefined, object]] = Object.entries(object.content ?? {});
  const { schema, example } = media;
  return {
    ...(schema === undefined ? {} : { allOf: [schema] }),
    ...(example === undefined ? {} : { examples: [example] }),
    ...(mediaType === undefined ? {} : { serialization: toMediaTypeName(mediaType) }),
    ...restOf({ ...media, ...object }, VALUE_KEYWORDS),
    ...{ ...keywords, "x-place": contract.model.pointerOf(object) },
  };
}

function toRequestSchema(version: OperationVersion): SchemaObject {
  const { contract, operation, object } = version;
  const { requestBody: body, deprecated = false, ...others } = object;
  const inLocation = (location: string) =>
    [...parametersIn(version, location)].map(([name, parameter]) => toParameter(version, name, parameter));
  const { servers } = (contract.document.paths[operation.path] ?? {}) as { servers?: unknown };
  // The document has no callbacks, since nobody serves them.
  const { callbacks } = (valueAt(contract.file.value, operation.pointer) ?? {}) as { callbacks?: unknown };
  const whole = { ...(servers === undefined ? {} : { servers }), ...others, ...(callbacks ? { callbacks } : {}) };
  const members = [
    { name: "path", schema: toObject(inLocation("path")), isRequired: true },
    { name: "query", schema: toObject(inLocation("query"), CLOSED), isRequired: true }, // unknown parameters are rejected (D-28)
    { name: "header", schema: toObject(inLocation("header")), isRequired: true },
    { name: "cookie", schema: toObject(inLocation("cookie")), isRequired: true },
    { name: "security", schema: toSecurity(version), isRequired: true },
    // A server that expects no body ignores one.
    ...(body ? [{ name: "body", schema: toBody(version, body), isRequired: body.required }] : []),
  ];
  const rest = restOf(whole, ["parameters", "responses", "security"]);
  return toObject(members, { deprecated, ...rest, "x-place": pointerTo(operation) });
}

function toParameter(version: OperationVersion, name: string, parameter: ReviewedParameter): Member {
  const { required, allowReserved = false, allowEmptyValue = false } = parameter;
  const deprecation = toDeprecation(parameter);
  const isLiteral = parameter["x-literal-plus"] ?? false;
  const written = { ...serializationOf(parameter), allowReserved, allowEmptyValue, "x-literal-plus": isLiteral };
  const keywords = parameter.content ? deprecation : { ...written, ...deprecation };
  return { name, schema: toValue(version, parameter, keywords), isRequired: required };
}

/** Nothing instead of false, which would hide what the schema says. */
const toDeprecation = ({ deprecated }: { deprecated?: boolean }) => (deprecated ? { deprecated } : {});

/** In lower case; without a charset, since JSON is always UTF-8 (RFC 8259 §8.1). */
export function toMediaTypeName(mediaType: string): string {
  const name = mediaType.toLowerCase().replaceAll(/\s/g, "");
  return isJson(name) ? name.replace(/;charset="?utf-?8"?$/, "") : name;
}

function toBody(version: OperationVersion, holder: { content?: Record<string, MediaTypeObject> }): SchemaObject {
  const { contract } = version;
  const types = Object.entries(holder.content ?? {}).map(([name, media]) => ({
    name: toMediaTypeName(name),
    schema: toValue(version, media),
  }));
  // At least one, so that samples have a body.
  return toObject(types, {
    ...{ ...CLOSED, minProperties: Math.min(types.length, 1), "x-place": contract.model.pointerOf(holder) },
    ...restOf(holder, ["content", "required", "headers"]),
  });
}

function toSecurity(version: OperationVersion): SchemaObject {
  const [scheme = ""] = Object.keys(version.contract.document.components.securitySchemes ?? {});
  return { enum: requirementsOf(version), "x-place": ["components", "securitySchemes", scheme] };
}

function toResponsesSchema(version: OperationVersion): SchemaObject {
  const { contract, operation, object } = version;
  const statuses = Object.entries(object.responses as Record<string, ResponseObject>).map(
    ([name, response]): Member => {
      const declared = Object.entries((response.headers ?? {}) as Record<string, DeclaredHeader>).filter(
        ([header]) => header.toLowerCase() !== "content-type",
      );
      const headers = declared.map(([header, place]): Member => {
        const { explode = false, content, required } = place;
        const schema = toValue(version, place, { ...(content ? {} : { explode }), ...toDeprecation(place) });
        return { name: header.toLowerCase(), schema, isRequired: required };
      });
      const members = [
        { name: "header", schema: toObject(headers, CLOSED), isRequired: true },
        { name: "body", schema: toBody(version, response), isRequired: response.content !== undefined },
      ];
      return { name, schema: toObject(members, { "x-place": contract.model.pointerOf(response) }) };
    },
  );
  return toObject(statuses, { ...CLOSED, "x-place": [...pointerTo(operation), "responses"] });
}

type DeclaredHeader = HeaderObject & Pick<ReviewedParameter, "explode" | "deprecated" | "content">;
