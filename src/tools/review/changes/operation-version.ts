// An operation in one version of the contract.
import type { Contract } from "../../../contract/contract.js";
import type { Pointer } from "../../../contract/contract-file.js";
import { memoize } from "../../../contract/memoize.js";
import { type ParameterObject, toReference } from "../../../contract/openapi-document.js";
import { findResponse, type Operation } from "../../../contract/operations.js";
import type { WireResponse } from "../../../contract/response-check.js";
import type { Violation } from "../../../contract/violation.js";
import type { MessageSide } from "./change.js";

export interface OperationVersion {
  contract: Contract;
  operation: Operation;
}

/** By signature. */
export function versionsOf(whole: Contract, side: MessageSide): Map<string, OperationVersion> {
  const contract = side === "request" ? whole : withBodies(whole);
  return new Map(contract.operations.map((operation) => [signatureOf(operation), { contract, operation }]));
}

/** Requires a body exactly where one is declared. Servers are checked less strictly, since HEAD has none. */
const withBodies = memoize((contract: Contract): Contract => {
  const checkBody = (operation: Operation, { status, body }: WireResponse): Violation[] => {
    const declared = findResponse(contract.document, operation, status)?.object;
    if (!declared || (declared.content === undefined) === (body === undefined)) return [];
    return [{ location: "body", message: declared.content ? "is missing" : "is not declared for this status" }];
  };
  return {
    ...contract,
    checkResponse: (operation, response) => [
      ...contract.checkResponse(operation, response),
      ...(operation ? checkBody(operation, response) : []),
    ],
  };
});

/** Method and path, without the names of path parameters. */
export function signatureOf({ method, path }: { method: string; path: string }): string {
  return `${method} ${path.replaceAll(/{[^}]+}/g, "{}")}`;
}

export function pointerTo({ path, method }: Operation): Pointer {
  return ["paths", path, method];
}

export function pathNamesOf({ path }: Operation): string[] {
  return [...path.matchAll(/{([^}]+)}/g)].map(([, name = ""]) => name);
}

export interface ReviewedParameter extends ParameterObject {
  deprecated?: boolean;
}

/** OpenAPI ignores header parameters of these names: `content` and `security` define them. */
export const IGNORED_HEADERS = new Set(["accept", "content-type", "authorization"]);

/** The parameters in a location, by name; path parameters by position, since requests do not contain their names. */
export function parametersIn(operation: Operation, location: string): Map<string, ReviewedParameter> {
  const keys: Record<string, (name: string) => string> = {
    path: (name) => String(pathNamesOf(operation).indexOf(name)),
    header: (name) => name.toLowerCase(),
  };
  const parameters = operation.parameters.filter(
    ({ in: own, name }) => own === location && !(own === "header" && IGNORED_HEADERS.has(name.toLowerCase())),
  );
  return new Map(parameters.map((parameter) => [keys[location]?.(parameter.name) ?? parameter.name, parameter]));
}

const RANGE = /^(\d)XX$|^default$/;

/**
 * Gives both versions the same single statuses: `4XX` and `default` are replaced by each status that either version names, and by
 * one that neither names. `rangeOf` has the range by that status.
 */
export function withSharedStatuses(was: OperationVersion, is: OperationVersion) {
  const names = [...new Set([was, is].flatMap(({ operation }) => Object.keys(operation.object.responses)))];
  const single = names.filter((name) => !RANGE.test(name));
  const ranges = names.filter((name) => RANGE.test(name)).toSorted();
  const rangeOf: ReadonlyMap<string, string> = new Map(
    ranges.flatMap((range) => {
      const isFree = (digit: string) => !names.includes(`${digit}XX`);
      const digit = range === "default" ? [..."2543"].find(isFree) : range[0];
      const statuses = Array.from({ length: 100 }, (_, index) => `${digit}${String(99 - index).padStart(2, "0")}`);
      const unnamed = statuses.find((status) => !single.includes(status));
      return digit && unnamed ? [[unnamed, range]] : [];
    }),
  );
  if (ranges.length === 0) return { was, is, rangeOf };

  const toShared = (version: OperationVersion): OperationVersion => {
    const { path, method, object } = version.operation;
    const responses = [...single, ...rangeOf.keys()].flatMap((status) => {
      const own = [status, `${status[0]}XX`, "default"].find((name) => object.responses[name]);
      if (own === undefined) return [];
      const response = object.responses[own] ?? {};
      const isItself = own === status || "$ref" in response;
      return [[status, isItself ? response : { $ref: toReference(["paths", path, method, "responses", own]) }]];
    });
    const whole = { ...object, responses: Object.fromEntries(responses) };
    return { ...version, operation: { ...version.operation, object: whole } };
  };
  return { was: toShared(was), is: toShared(is), rangeOf };
}
