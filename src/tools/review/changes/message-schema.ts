// Describes all requests, or all responses, of an operation as one schema: by location, then by name. Any change of a contract,
// from the style of a parameter to a member of a body, changes these schemas.
import { memoize } from "../../../contract/memoize.js";
import {
  type HeaderObject,
  type MediaTypeObject,
  type RequestBodyObject,
  type ResponseObject,
  resolve,
  type SchemaObject,
} from "../../../contract/openapi-document.js";
import { placeOf } from "../../../contract/walk-contract.js";
import type { MessageSide } from "./change.js";
import { requirementsOf } from "./credentials.js";
import { type OperationVersion, parametersIn, pointerTo, type ReviewedParameter } from "./operation-version.js";
import { type ResolvedSchema, resolveSchema } from "./resolved-schema.js";

/** Values by name, path parameters by position, the body by media type. */
export interface RequestMessage {
  path?: Record<string, unknown>;
  query?: Record<string, unknown>;
  header?: Record<string, unknown>;
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

/** The schema of a parameter, header or media type, with the keywords that change its meaning and its place in the file. */
function toValue(
  { contract }: OperationVersion,
  object: { schema?: SchemaObject; example?: unknown },
  keywords: object = {},
): SchemaObject {
  const { schema, example } = object;
  return {
    ...(schema === undefined ? {} : { allOf: [schema] }),
    ...(example === undefined ? {} : { examples: [example] }),
    ...{ ...keywords, "x-place": placeOf(contract, object) },
  };
}

function toRequestSchema(version: OperationVersion): SchemaObject {
  const { contract, operation } = version;
  const { requestBody, deprecated = false } = operation.object;
  const body = requestBody && resolve<RequestBodyObject>(contract.document, requestBody);
  const inLocation = (location: string) =>
    [...parametersIn(operation, location)].map(([name, parameter]) => toParameter(version, name, parameter));
  const members = [
    { name: "path", schema: toObject(inLocation("path")), isRequired: true },
    { name: "query", schema: toObject(inLocation("query"), CLOSED), isRequired: true }, // unknown parameters are rejected (D-28)
    { name: "header", schema: toObject(inLocation("header")), isRequired: true },
    { name: "security", schema: toSecurity(version), isRequired: true },
    // A server that expects no body ignores one.
    ...(body ? [{ name: "body", schema: toBody(version, body), isRequired: body.required }] : []),
  ];
  return toObject(members, { deprecated, "x-place": pointerTo(operation) });
}

function toParameter(version: OperationVersion, name: string, parameter: ReviewedParameter): Member {
  const { required, style = parameter.in === "query" ? "form" : "simple" } = parameter;
  const { explode = style === "form", allowReserved = false, allowEmptyValue = false, deprecated = false } = parameter;
  const isLiteral = parameter["x-literal-plus"] ?? false;
  const keywords = { style, explode, allowReserved, allowEmptyValue, deprecated, "x-literal-plus": isLiteral };
  return { name, schema: toValue(version, parameter, keywords), isRequired: required };
}

function toBody(version: OperationVersion, holder: { content?: Record<string, MediaTypeObject> }): SchemaObject {
  const { contract } = version;
  const types = Object.entries(holder.content ?? {}).map(([name, media]) => ({
    name,
    schema: toValue(version, media),
  }));
  // At least one, so that samples have a body.
  return toObject(types, { ...CLOSED, minProperties: Math.min(types.length, 1), "x-place": placeOf(contract, holder) });
}

function toSecurity(version: OperationVersion): SchemaObject {
  const [scheme = ""] = Object.keys(version.contract.document.components.securitySchemes ?? {});
  return { enum: requirementsOf(version), "x-place": ["components", "securitySchemes", scheme] };
}

function toResponsesSchema(version: OperationVersion): SchemaObject {
  const { contract, operation } = version;
  const statuses = Object.entries(operation.object.responses).map(([name, place]): Member => {
    const response = resolve<ResponseObject>(contract.document, place);
    const declared = Object.entries(response.headers ?? {}).filter(
      ([header]) => header.toLowerCase() !== "content-type",
    );
    const headers = declared.map(([header, at]): Member => {
      const object = resolve<HeaderObject>(contract.document, at);
      return { name: header.toLowerCase(), schema: toValue(version, object), isRequired: object.required };
    });
    const members = [
      { name: "header", schema: toObject(headers, CLOSED), isRequired: true },
      { name: "body", schema: toBody(version, response), isRequired: response.content !== undefined },
    ];
    return { name, schema: toObject(members, { "x-place": placeOf(contract, response) }) };
  });
  return toObject(statuses, { ...CLOSED, "x-place": [...pointerTo(operation), "responses"] });
}
