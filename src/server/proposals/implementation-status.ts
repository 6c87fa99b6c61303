// Compares the served contract with the implemented one, for the start message and /health.
import type { Contract } from "../../contract/contract.js";
import type { Operation, Parameter } from "../../contract/model.js";
import { mainMedia, successOf } from "../../contract/operation-responses.js";
import type { Schema } from "../../contract/schema.js";
import { sampleOf } from "../../contract/values/example.js";
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
  const pairs = served.model.operations.filter(isReal).flatMap((operation) => {
    const own = counterpartOf(operation, implemented);
    return own ? [[operation, own] as const] : [];
  });
  const responses = pairs.map(([operation, own]) => compareResponses(operation, own));
  responses.push(compareErrors(served, implemented));
  return {
    implemented: pairs.map(([operation]) => nameOf(operation)),
    mocked: served.model.operations.filter((operation) => !isReal(operation)).map(nameOf),
    added: responses.flatMap(({ added }) => added),
    removed: responses.flatMap(({ removed }) => removed),
    withoutEffect: pairs.flatMap(([operation, own]) => findIneffective(operation, own)),
    unchecked: served.unchecked.map(({ pointer, construct, reason }) => {
      const { path, line } = served.file.placeOf(pointer);
      return `${path}:${line} ${construct}: ${reason}`;
    }),
    cannotBeShown: [],
  };
}

/** False if the handler cannot take the body, or success is not JSON. */
function isHandled(served: Contract, operation: Operation, implemented: Contract): boolean {
  const schema = mainMedia(operation.body)?.schema;
  const input = { path: {}, query: {}, body: schema && sampleOf(schema) };
  return toHandled({ served, implemented }, operation, input) !== undefined;
}

export function nameOf({ method, path }: Operation): string {
  return `${method.toUpperCase()} ${path}`;
}

type Differences = Pick<ImplementationStatus, "added" | "removed" | "withoutEffect">;

function compareResponses(operation: Operation, own: Operation): Differences {
  const differences: Differences = { added: [], removed: [], withoutEffect: [] };
  const [after, before] = [successOf(operation), successOf(own)];
  const place = `${nameOf(operation)} ${after?.status}`;
  createComparison(differences)(mainMedia(after)?.schema, mainMedia(before)?.schema, `${place} body`);
  const [declared, known] = [after, before].map(
    (response) => new Map(response?.headers.map((header) => [header.name.toLowerCase(), header])),
  );
  for (const [name, header] of declared ?? [])
    if (header.isRequired && !known?.has(name)) differences.added.push(`${place} header.${name}`);
  for (const name of known?.keys() ?? []) if (!declared?.has(name)) differences.removed.push(`${place} header.${name}`);
  return differences;
}

function compareErrors(served: Contract, implemented: Contract): Differences {
  const differences: Differences = { added: [], removed: [], withoutEffect: [] };
  createComparison(differences)(served.model.errorBody, implemented.model.errorBody, "errors body");
  return differences;
}

/** Creates the function that compares a schema of the served contract with that of the implemented one. */
function createComparison({ added, removed, withoutEffect }: Differences) {
  const compared = new Set<object>();
  return function compare(after: Schema | undefined, before: Schema | undefined, place: string): void {
    if (!after || compared.has(after.flat)) return; // it contains itself
    compared.add(after.flat);
    const known = before?.members ?? new Map<string, Schema>();
    for (const name of after.required) if (!before?.required.includes(name)) added.push(`${place}.${name}`);
    for (const name of known.keys()) if (after.member(name) === undefined) removed.push(`${place}.${name}`);
    for (const [name, member] of after.members) {
      if (known.has(name)) compare(member, known.get(name), `${place}.${name}`);
      else withoutEffect.push(`${place}.${name}`);
    }
    if (after.flat.items && before?.flat.items) compare(after.items, before.items, `${place}[]`);
    compared.delete(after.flat);
  };
}

function findIneffective(operation: Operation, own: Operation): string[] {
  const isKnown = ({ name, in: where }: Parameter) =>
    where === "path" || where === "cookie" || own.parameters.some((other) => other.in === where && other.name === name);
  const parameters = operation.parameters.filter((parameter) => !isKnown(parameter));
  const body: Differences = { added: [], removed: [], withoutEffect: [] };
  createComparison(body)(mainMedia(operation.body)?.schema, mainMedia(own.body)?.schema, "body");
  const places = [...parameters.map(({ name, in: where }) => `${where}.${name}`), ...body.withoutEffect];
  return places.map((place) => `${nameOf(operation)} ${place}`);
}
