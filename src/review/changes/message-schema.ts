// All requests, and all responses, of an operation as one schema: by where a value stands, then by its name. Whatever changes
// in a contract, from a parameter's style to a member of a body, changes these schemas.

import type { Pointer } from "../../contract/contract-file.js";
import {
  type HeaderObject,
  type MediaTypeObject,
  type RequestBodyObject,
  type ResponseObject,
  type SchemaObject,
  valueAt,
} from "../../contract/openapi-document.js";
import type { MessageSide } from "./change.js";
import {
  dereference,
  type OperationVersion,
  type ParameterPlace,
  parametersOf,
  pointerTo,
} from "./operation-version.js";
import { type ResolvedSchema, resolveSchema } from "./resolved-schema.js";
import { sampleValue } from "./sample-values.js";

/** By name, but path parameters by position, and the body by media type. */
export interface RequestMessage {
  path?: Record<string, unknown>;
  query?: Record<string, unknown>;
  header?: Record<string, unknown>;
  body?: Record<string, unknown>;
  /** One of the requirements that `securityOf` lists. */
  security?: unknown;
}

/** By status. */
export type ResponseMessage = Record<string, { header?: Record<string, unknown>; body?: Record<string, unknown> }>;

interface Member {
  name: string;
  schema: SchemaObject;
  isRequired?: boolean | undefined;
}

/** The schema of a place of the contract, and what changes its meaning. `x-place` is where it stands in the file. */
function toMember(
  { contract: { document } }: OperationVersion,
  { name, pointer, isRequired }: Omit<Member, "schema"> & { pointer: Pointer },
  { example, ...keywords }: Record<string, unknown> = {},
): Member {
  const below: Pointer = [...pointer, "schema"];
  const text = below.map((part) => encodeURIComponent(String(part).replaceAll("~", "~0").replaceAll("/", "~1")));
  const schema = {
    ...(valueAt(document, below) === undefined ? {} : { $ref: `#/${text.join("/")}` }),
    ...(example === undefined ? {} : { examples: [example] }),
    ...{ ...keywords, "x-place": pointer },
  };
  return { name, schema, isRequired };
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

function toRequestSchema(version: OperationVersion): SchemaObject {
  const { contract, operation } = version;
  const parameters = parametersOf(version);
  const inLocation = (location: string) =>
    parameters.filter(({ value }) => value.in === location).map((parameter) => toParameter(version, parameter));
  const { requestBody } = operation.object;
  const body = requestBody && dereference<RequestBodyObject>(contract, requestBody, pointerTo(version, "requestBody"));
  const schemes = Object.keys(contract.document.components.securitySchemes ?? {}).slice(0, 1);
  const security = { "x-place": ["components", "securitySchemes", ...schemes] };
  const requirements = securityOf(version);
  const members = [
    { name: "path", schema: toObject(inLocation("path")), isRequired: true },
    { name: "query", schema: toObject(inLocation("query"), CLOSED), isRequired: true }, // unknown parameters are rejected (D-28)
    { name: "header", schema: toObject(inLocation("header")), isRequired: true },
    {
      name: "security",
      schema: requirements.includes("[]") ? security : { ...security, enum: requirements },
      isRequired: true,
    },
    ...(body
      ? [{ name: "body", schema: toBody(version, body.value.content, body.pointer), isRequired: body.value.required }]
      : []), // a server that expects none reads none
  ];
  return toObject(members, { deprecated: operation.object.deprecated ?? false, "x-place": pointerTo(version) });
}

function toParameter(version: OperationVersion, { value, pointer, key }: ParameterPlace): Member {
  const isInQuery = value.in === "query";
  const { required, example, style = isInQuery ? "form" : "simple" } = value;
  return toMember(
    version,
    { name: key, pointer, isRequired: required },
    {
      ...{ example, style, explode: value.explode ?? style === "form" },
      allowReserved: value.allowReserved ?? false,
      allowEmptyValue: value.allowEmptyValue ?? false,
      "x-literal-plus": value["x-literal-plus"] ?? false,
      deprecated: value.deprecated ?? false,
    },
  );
}

function toBody(version: OperationVersion, content: Record<string, MediaTypeObject>, pointer: Pointer): SchemaObject {
  const types = Object.keys(content).map((name) => toMember(version, { name, pointer: [...pointer, "content", name] }));
  const [first] = types;
  const node = { schema: first?.schema ?? {}, pointer };
  const examples = first ? [{ [first.name]: sampleValue(resolveSchema(version.contract, [node])) }] : [];
  return toObject(types, { ...CLOSED, examples, "x-place": pointer });
}

/** The alternatives of an operation, each with the schemes that it names, as text. One of them is `[]` if no key is needed. */
function securityOf({ contract, operation }: OperationVersion): string[] {
  const { security, components } = contract.document;
  const required = operation.object.security ?? security ?? [];
  const schemes = (components.securitySchemes ?? {}) as Record<string, Record<string, unknown>>;
  return (required.length > 0 ? required : [{}]).map((names) =>
    JSON.stringify(
      Object.entries(names).map(([name, scopes]) => {
        const { description: _description, ...scheme } = schemes[name] ?? {};
        return [Object.entries(scheme).filter(([key]) => !key.startsWith("x-")), scopes];
      }),
    ),
  );
}

function toResponsesSchema(version: OperationVersion): SchemaObject {
  const statuses = Object.entries(version.operation.object.responses).map(([name, place]): Member => {
    const { value, pointer } = dereference<ResponseObject>(
      version.contract,
      place,
      pointerTo(version, "responses", name),
    );
    const headers = Object.entries(value.headers ?? {}).map(([header, at]) => {
      const own = dereference<HeaderObject>(version.contract, at, [...pointer, "headers", header]);
      const about = { name: header.toLowerCase(), pointer: own.pointer, isRequired: own.value.required };
      return toMember(version, about, { example: own.value.example });
    });
    const members = [
      { name: "header", schema: toObject(headers, CLOSED), isRequired: true },
      { name: "body", schema: toBody(version, value.content ?? {}, pointer), isRequired: value.content !== undefined },
    ];
    return { name, schema: toObject(members, { "x-place": pointer }) };
  });
  return toObject(statuses, { ...CLOSED, "x-place": pointerTo(version, "responses") });
}

const schemas = { request: new WeakMap<object, ResolvedSchema>(), response: new WeakMap<object, ResolvedSchema>() };

/** The schema of all requests or all responses; the same object each time. */
export function toMessageSchema(version: OperationVersion, side: MessageSide): ResolvedSchema {
  const { contract, operation } = version;
  const toSchema = side === "request" ? toRequestSchema : toResponsesSchema;
  const schema = schemas[side].get(operation) ?? resolveSchema(contract, [{ schema: toSchema(version), pointer: [] }]);
  schemas[side].set(operation, schema);
  return schema;
}
