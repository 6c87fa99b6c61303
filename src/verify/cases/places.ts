// The places of a request that have a value: each parameter, each item of a list, the body and each of its members.
import type { Contract } from "../../contract/contract.js";
import type { ParameterObject, SchemaObject } from "../../contract/openapi-document.js";
import type { Operation } from "../../contract/operations.js";
import { flatten } from "../schema.js";
import type { TestRequest } from "../test-request.js";

export interface Place {
  operation: Operation;
  /** As in errors: `query.limit`, `body.channels.email`; `query.channels[]` for an item of a list. */
  location: string;
  /** Its references are resolved on this level. */
  schema: SchemaObject;
  in: "path" | "query" | "header" | "body";
  parameter?: ParameterObject;
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

function placesOfParameter(contract: Contract, operation: Operation, parameter: ParameterObject): Place[] {
  const { name, in: source } = parameter;
  const [body] = placesOfBody(contract, operation);
  const valid = body ? body.put({ channels: {} }) : { operation };
  const { example } = parameter as { example?: unknown };
  const put = (value: unknown): TestRequest => {
    if (source === "query") return { ...valid, query: value === undefined ? {} : { [name]: value } };
    const text = value === undefined ? {} : { [name]: String(value) };
    return source === "path" ? { ...valid, path: text } : { ...valid, headers: text };
  };
  const schema = flatten(contract.document, parameter.schema);
  const isRequired = parameter.required ?? false;
  const place = { operation, location: `${source}.${name}`, schema, in: source, parameter, example, isRequired, put };
  if (!schema.items) return [place];
  const [item] = [example].flat();
  const items = flatten(contract.document, schema.items);
  return [place, { ...place, location: `${place.location}[]`, schema: items, example: item, put: (v) => put([v]) }];
}

function placesOfBody(contract: Contract, operation: Operation): Place[] {
  const content = operation.object.requestBody?.content["application/json"];
  if (!content) return [];
  const put = (value: unknown): TestRequest => (value === undefined ? { operation } : { operation, body: value });
  const isRequired = operation.object.requestBody?.required ?? false;
  const schema = flatten(contract.document, content.schema);
  const place = { operation, location: "body", schema, in: "body" as const, example: undefined, isRequired, put };
  return [place, ...placesOfMembers(contract, place)];
}

function placesOfMembers(contract: Contract, parent: Place): Place[] {
  const { properties = {}, required = [] } = parent.schema as { required?: string[] } & SchemaObject;
  return Object.entries(properties).flatMap(([name, member]) => {
    const schema = flatten(contract.document, member);
    const [example] = (schema.examples as unknown[] | undefined) ?? [];
    const siblings = Object.fromEntries(required.filter((other) => other !== name).map((other) => [other, {}]));
    const put = (value: unknown) => parent.put({ ...siblings, ...(value === undefined ? {} : { [name]: value }) });
    const location = `${parent.location}.${name}`;
    const place = { ...parent, location, schema, example, isRequired: required.includes(name), put };
    return [place, ...placesOfMembers(contract, place)];
  });
}
