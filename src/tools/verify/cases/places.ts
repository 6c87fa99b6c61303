// The places of a request that have a value: each parameter, each item of a list, the body and each of its members.
import type { Contract } from "../../../contract/contract.js";
import { isObject } from "../../../contract/json.js";
import { toList } from "../../../contract/lists.js";
import type { Operation, Parameter } from "../../../contract/model.js";
import { sampleOf } from "../../../contract/sample/sample.js";
import type { Schema } from "../../../contract/schema.js";
import { jsonSchemaOf, PARTS, type TestRequest, validRequest } from "../test-request.js";

export interface Place {
  operation: Operation;
  /** As in errors: `query.limit`, `header.idempotency-key`, `body.channels.email`. */
  location: string;
  /** In names of cases: the same, or `query.channels[]` for an item of a list. */
  name: string;
  isItem?: boolean;
  schema: Schema;
  in: "path" | "query" | "header" | "body";
  parameter?: Parameter;
  example: unknown;
  isRequired: boolean;
  /** A request that is valid except for this value; undefined omits the place. */
  put(value: unknown): TestRequest;
}

export function findPlaces(contract: Contract): Place[] {
  return contract.operations.flatMap((operation) => [
    ...operation.parameters.flatMap((parameter) => placesOfParameter(contract, operation, parameter)),
    ...placesOfBody(contract, operation),
  ]);
}

function placesOfParameter(contract: Contract, operation: Operation, parameter: Parameter): Place[] {
  const { name, in: source, isRequired, style, isExploded, schema, examples } = parameter;
  if (source === "cookie") return []; // not every server reads them
  const put = (value: unknown): TestRequest => {
    const text = source === "query" ? value : String(value);
    const request = validRequest(contract, operation);
    const key = source === "header" ? name.toLowerCase() : name;
    const { [key]: _text, ...remaining } = (request[PARTS[source]] ?? {}) as Record<string, string>;
    return { ...request, [PARTS[source]]: value === undefined ? remaining : { ...remaining, [key]: text } };
  };
  const { type, items } = schema.flat;
  const isJoined = source === "query" && type === "array" && !(style === "form" && isExploded);
  const mayBeList = type === undefined && schema.types.includes("array");
  if (type === "object" || isJoined || mayBeList) return []; // only examples say how such a value is sent
  const [example] = examples;
  const place = {
    operation,
    location: `${source}.${source === "header" ? name.toLowerCase() : name}`,
    name: `${source}.${name}`,
    schema,
    in: source,
    parameter,
    example,
    isRequired,
    put,
  };
  if (!items) return [place];
  const ofItem = { name: `${place.name}[]`, isItem: true, schema: schema.items, example: toList(example)[0] };
  return [place, { ...place, ...ofItem, put: (value) => put([value]) }];
}

function placesOfBody(contract: Contract, operation: Operation): Place[] {
  const { isRequired = false } = operation.body ?? {};
  const schema = jsonSchemaOf(operation);
  if (!schema) return [];
  const put = (sent: unknown): TestRequest => {
    const { body: _body, ...request } = validRequest(contract, operation);
    return { ...request, ...(sent === undefined ? {} : { body: sent }) };
  };
  const named = { location: "body", name: "body", in: "body" as const };
  const place = { operation, ...named, schema, example: undefined, isRequired, put };
  return [place, ...placesOfMembers(place)];
}

/** @param around the enclosing schemas: a recursive one is followed once. */
function placesOfMembers(parent: Place, around: readonly Schema[] = []): Place[] {
  if (around.includes(parent.schema)) return [];
  return [...parent.schema.members].flatMap(([name, schema]) => {
    const [example] = schema.flat.examples ?? [];
    const { [name]: _own, ...siblings } = sampleMembers(parent.schema);
    const put = (value: unknown) => parent.put({ ...siblings, ...(value === undefined ? {} : { [name]: value }) });
    const location = `${parent.location}.${name}`;
    const place = {
      ...parent,
      location,
      name: location,
      schema,
      example,
      isRequired: parent.schema.required.includes(name),
      put,
    };
    return [place, ...placesOfMembers(place, [...around, parent.schema])];
  });
}

/** The smallest values of the members that a schema requires, also by a condition. */
export function sampleMembers(schema: Schema): Record<string, unknown> {
  const value = sampleOf(schema, "", { isSmallest: true, direction: "request" });
  return isObject(value) ? value : {};
}
