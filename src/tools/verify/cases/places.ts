// The places of a request that have a value: each parameter, each item of a list, the body and each of its members.
import type { Contract } from "../../../contract/contract.js";
import type { ParameterObject, SchemaObject } from "../../../contract/openapi-document.js";
import type { Operation } from "../../../contract/operations.js";
import { flatten } from "../../../contract/schema-flatten.js";
import { sampleValue } from "../../../contract/values/example.js";
import { PARTS, type TestRequest, validRequest } from "../exchange.js";

export interface Place {
  operation: Operation;
  /** As in errors: `query.limit`, `body.channels.email`; `query.channels[]` for an item of a list. */
  location: string;
  /** References at its top level are resolved. */
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
  const { name, in: source, required: isRequired = false, example } = parameter;
  if (source === "cookie") return []; // not every server reads them
  const put = (value: unknown): TestRequest => {
    const text = source === "query" ? value : String(value);
    const request = validRequest(contract, operation);
    const { [name]: _own, ...others } = (request[PARTS[source]] ?? {}) as Record<string, string>;
    return { ...request, [PARTS[source]]: value === undefined ? others : { ...others, [name]: text } };
  };
  const { document } = contract;
  const schema = flatten(document, parameter.schema);
  const { style = "form", explode = true } = parameter;
  const isJoined = source === "query" && schema.type === "array" && !(style === "form" && explode);
  if (schema.type === "object" || isJoined) return []; // only examples say how such a value is sent
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
  const put = (sent: unknown): TestRequest => {
    const { body: _body, ...request } = validRequest(contract, operation);
    return { ...request, ...(sent === undefined ? {} : { body: sent }) };
  };
  const schema = flatten(contract.document, media.schema);
  const place = { operation, location: "body", schema, in: "body" as const, example: undefined, isRequired, put };
  return [place, ...placesOfMembers(contract, place)];
}

/** @param around the enclosing schemas: a recursive one is followed once. */
function placesOfMembers(contract: Contract, parent: Place, around: readonly SchemaObject[] = []): Place[] {
  if (around.includes(parent.schema)) return [];
  const { properties = {}, required = [] } = parent.schema;
  return Object.entries(properties).flatMap(([name, member]) => {
    const schema = flatten(contract.document, member);
    const [example] = (schema.examples as unknown[] | undefined) ?? [];
    const { [name]: _own, ...siblings } = sampleMembers(contract, parent.schema);
    const put = (value: unknown) => parent.put({ ...siblings, ...(value === undefined ? {} : { [name]: value }) });
    const location = `${parent.location}.${name}`;
    const place = { ...parent, location, schema, example, isRequired: required.includes(name), put };
    return [place, ...placesOfMembers(contract, place, [...around, parent.schema])];
  });
}

/** The smallest values of the members that a schema requires, also by a condition. */
export function sampleMembers({ document, schemas }: Contract, schema: SchemaObject): Record<string, unknown> {
  const { properties = {}, required = [] } = schema;
  const sample = (names: readonly string[]) =>
    Object.fromEntries(
      names.map((name) => [name, sampleValue(document, properties[name] ?? {}, "", { isSmallest: true })]),
    );
  const members = sample(required);
  const lacking = schemas.checkBy(schema, members, "").filter(({ keyword }) => keyword === "required"); // as `then` may
  return { ...members, ...sample(lacking.map(({ location }) => location.slice(1))) };
}
