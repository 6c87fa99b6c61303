// An operation as one version of the contract has it, in requests or in responses.
import type { Contract } from "../../../contract/contract.js";
import type { Pointer } from "../../../contract/contract-file.js";
import { memoize } from "../../../contract/memoize.js";
import type { ParameterObject } from "../../../contract/openapi-document.js";
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

/** A body is there where one is declared, and nowhere else. Servers are judged less strictly: HEAD has none. */
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

/** Path and method, whatever the path parameters are called. */
export function signatureOf({ method, path }: { method: string; path: string }): string {
  return `${method} ${path.replaceAll(/{[^}]+}/g, "{}")}`;
}

export function pointerTo({ path, method }: Operation): Pointer {
  return ["paths", path, method];
}

export function pathNamesOf({ path }: Operation): string[] {
  return [...path.matchAll(/{([^}]+)}/g)].map(([, name = ""]) => name);
}

/** The members of a parameter that the review reads and the server does not need. */
export interface ReviewedParameter extends ParameterObject {
  deprecated?: boolean;
}

/** OpenAPI ignores parameters of these names: content and security say what they are. */
export const IGNORED_HEADERS = new Set(["accept", "content-type", "authorization"]);

/** The parameters in a location, by name; those of the path by position, since requests do not contain their names. */
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
 * Both versions with the same statuses: `4XX` and `default` stand for each status that either of them names, and for one that
 * neither names.
 * @returns that status as well, by what stands for it.
 */
export function withSharedStatuses(
  was: OperationVersion,
  is: OperationVersion,
): { was: OperationVersion; is: OperationVersion; rangeOf: ReadonlyMap<string, string> } {
  const names = [...new Set([was, is].flatMap(({ operation }) => Object.keys(operation.object.responses)))];
  const single = names.filter((name) => !RANGE.test(name));
  if (single.length === names.length) return { was, is, rangeOf: new Map() };
  const rangeOf = new Map<string, string>();
  for (const name of names.filter((other) => RANGE.test(other)).toSorted()) {
    const isFree = (digit: string) => !names.includes(`${digit}XX`);
    const digit = name === "default" ? [..."2543"].find(isFree) : name[0];
    const status = Array.from({ length: 100 }, (_, index) => `${digit}${String(99 - index).padStart(2, "0")}`);
    const free = status.find((one) => !single.includes(one));
    if (digit && free) rangeOf.set(free, name);
  }
  const toShared = (version: OperationVersion): OperationVersion => {
    const { path, method, object } = version.operation;
    const responses = [...single, ...rangeOf.keys()].flatMap((status) => {
      const own = [status, `${status[0]}XX`, "default"].find((name) => object.responses[name]);
      if (own === undefined) return [];
      const response = object.responses[own] ?? {};
      const place = ["paths", path, method, "responses", own].map((part) =>
        encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1")),
      );
      return [[status, own === status || "$ref" in response ? response : { $ref: `#/${place.join("/")}` }]];
    });
    const whole = { ...object, responses: Object.fromEntries(responses) };
    return { ...version, operation: { ...version.operation, object: whole } };
  };
  return { was: toShared(was), is: toShared(is), rangeOf };
}
