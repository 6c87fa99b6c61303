// The places of a request that have a value: each parameter, each item of a list, the body and each of its members.
import type { Contract } from "../../contract/contract.js";
import type { ParameterObject, SchemaObject } from "../../contract/openapi-document.js";
import type { Operation } from "../../contract/operations.js";
import { flatten } from "../../contract/schema-flatten.js";
import { type TestRequest, validRequest } from "../exchange.js";

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

const KEYS = { path: "path", query: "query", header: "headers" } as const;

function placesOfParameter({ document }: Contract, operation: Operation, parameter: ParameterObject): Place[] {
  const { name, in: source, required: isRequired = false, example } = parameter;
  const put = (value: unknown): TestRequest => {
    const text = source === "query" ? value : String(value);
    return { ...validRequest(operation), [KEYS[source]]: value === undefined ? {} : { [name]: text } };
  };
  const schema = flatten(document, parameter.schema);
  const place = { operation, location: `${source}.${name}`, schema, in: source, parameter, example, isRequired, put };
  if (!schema.items) return [place];
  const [item] = [example].flat();
  const items = flatten(document, schema.items);
  return [place, { ...place, location: `${place.location}[]`, schema: items, example: item, put: (v) => put([v]) }];
}

function placesOfBody(contract: Contract, operation: Operation): Place[] {
  const { content, required: isRequired = false } = operation.object.requestBody ?? {};
  const media = content?.["application/json"];
  if (!media) return [];
  const put = (body: unknown): TestRequest => ({ operation: operation.id, ...(body === undefined ? {} : { body }) });
  const schema = flatten(contract.document, media.schema);
  const place = { operation, location: "body", schema, in: "body" as const, example: undefined, isRequired, put };
  return [place, ...placesOfMembers(contract, place)];
}

function placesOfMembers(contract: Contract, parent: Place): Place[] {
  const { properties = {}, required = [] } = parent.schema;
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
