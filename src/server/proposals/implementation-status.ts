// Compares the served contract with the implemented one, for the start message and /health.
import type { Contract } from "../../contract/contract.js";
import { type OpenApiDocument, type ParameterObject, valueAt } from "../../contract/openapi-document.js";
import {
  bodySchemaOf,
  findResponse,
  type Operation,
  responseSchemaOf,
  successStatusOf,
} from "../../contract/operations.js";
import { findErrorSchema } from "../../contract/response-check.js";
import { flatten } from "../../contract/schema-flatten.js";
import { sampleValue } from "../../contract/values/example.js";
import { implementationOf } from "../../core/operations/call-operation.js";
import { counterpartOf, toHandled } from "./to-handled.js";

/** Places read `GET /v1/notifications 200 body.data[].priority`. */
export interface ImplementationStatus {
  /** Operations with state. */
  implemented: string[];
  /** Operations that respond with an example or a sample: new ones, and those whose bodies no handler can take. */
  mocked: string[];
  /** Members and headers of responses that no handler sets: samples. */
  added: string[];
  /** Members and headers of responses that the contract lacks. */
  removed: string[];
  /** Parameters and members of requests that are validated and then ignored. */
  withoutEffect: string[];
  /** Places that no tool of this project checks, with file and line. */
  unchecked: string[];
  /** Values that are sent although the contract forbids them. */
  cannotBeShown: string[];
}

export function toImplementationStatus(served: Contract, implemented: Contract): ImplementationStatus {
  const isReal = (operation: Operation) =>
    implementationOf(operation) !== undefined && (served === implemented || isHandled(served, operation, implemented));
  const pairs = served.operations.filter(isReal).flatMap((operation) => {
    const own = counterpartOf(operation, implemented);
    return own ? [[operation, own] as const] : [];
  });
  const responses = pairs.map(([operation, own]) => compareResponses(served, operation, implemented, own));
  responses.push(compareErrors(served, implemented));
  return {
    implemented: pairs.map(([operation]) => nameOf(operation)),
    mocked: served.operations.filter((operation) => !isReal(operation)).map(nameOf),
    added: responses.flatMap(({ added }) => added),
    removed: responses.flatMap(({ removed }) => removed),
    withoutEffect: pairs.flatMap(([operation, own]) => findIneffective(served, operation, implemented, own)),
    unchecked: served.unchecked.map(({ pointer, construct, reason }) => {
      const { path, line } = served.file.placeOf(pointer);
      return `${path}:${line} ${construct}: ${reason}`;
    }),
    cannotBeShown: [],
  };
}

/** False if the handler cannot take the body, or success is not JSON. */
function isHandled(served: Contract, operation: Operation, implemented: Contract): boolean {
  const { document } = served;
  const schema = bodySchemaOf(operation);
  const input = { path: {}, query: {}, body: schema && sampleValue(document, schema) };
  return toHandled({ served, implemented }, operation, input) !== undefined;
}

export function nameOf({ method, path }: Operation): string {
  return `${method.toUpperCase()} ${path}`;
}

type Differences = Pick<ImplementationStatus, "added" | "removed" | "withoutEffect">;

function compareResponses(served: Contract, operation: Operation, implemented: Contract, own: Operation): Differences {
  const differences: Differences = { added: [], removed: [], withoutEffect: [] };
  const status = successStatusOf(operation);
  const after = findResponse(served.document, operation, status)?.object;
  const before = findResponse(implemented.document, own, successStatusOf(own))?.object;
  const place = `${nameOf(operation)} ${status}`;
  const compare = toComparison(served.document, implemented.document, differences);
  compare(responseSchemaOf(served.document, operation), responseSchemaOf(implemented.document, own), `${place} body`);
  const toNames = (headers: object = {}) =>
    new Map(Object.entries(headers).map(([name, header]) => [name.toLowerCase(), header]));
  const [declared, known] = [toNames(after?.headers), toNames(before?.headers)];
  for (const [name, header] of declared)
    if (flatten(served.document, header).required && !known.has(name))
      differences.added.push(`${place} header.${name}`);
  for (const name of known.keys()) if (!declared.has(name)) differences.removed.push(`${place} header.${name}`);
  return differences;
}

function compareErrors({ document: served }: Contract, { document: implemented }: Contract): Differences {
  const differences: Differences = { added: [], removed: [], withoutEffect: [] };
  const [after, before] = [served, implemented].map((document) => valueAt(document, findErrorSchema(document) ?? [""]));
  toComparison(served, implemented, differences)(after, before, "errors body");
  return differences;
}

/** Creates the function that compares a schema of the served contract with that of the implemented one. */
function toComparison(served: OpenApiDocument, implemented: OpenApiDocument, differences: Differences) {
  const { added, removed, withoutEffect } = differences;
  const compared = new Set<object>();
  return function compare(after: unknown, before: unknown, place: string): void {
    const [schema, own] = [flatten(served, after), flatten(implemented, before)];
    if (compared.has(schema)) return; // it contains itself
    compared.add(schema);
    const { properties = {}, required = [], additionalProperties, items } = schema;
    const members = own.properties ?? {};
    for (const name of required) if (!own.required?.includes(name)) added.push(`${place}.${name}`);
    for (const name of Object.keys(members))
      if (additionalProperties === false && !Object.hasOwn(properties, name)) removed.push(`${place}.${name}`);
    for (const [name, member] of Object.entries(properties)) {
      if (Object.hasOwn(members, name)) compare(member, members[name], `${place}.${name}`);
      else withoutEffect.push(`${place}.${name}`);
    }
    if (items && own.items) compare(items, own.items, `${place}[]`);
    compared.delete(schema);
  };
}

function findIneffective(served: Contract, operation: Operation, implemented: Contract, own: Operation): string[] {
  const isKnown = ({ name, in: where }: ParameterObject) =>
    where === "path" || where === "cookie" || own.parameters.some((other) => other.in === where && other.name === name);
  const parameters = operation.parameters.filter((parameter) => !isKnown(parameter));
  const body: Differences = { added: [], removed: [], withoutEffect: [] };
  toComparison(served.document, implemented.document, body)(bodySchemaOf(operation), bodySchemaOf(own), "body");
  const places = [...parameters.map(({ name, in: where }) => `${where}.${name}`), ...body.withoutEffect];
  return places.map((place) => `${nameOf(operation)} ${place}`);
}
