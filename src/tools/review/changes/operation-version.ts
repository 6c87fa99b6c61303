// An operation in one version of the contract.
import type { Contract } from "../../../contract/contract.js";
import type { Pointer } from "../../../contract/contract-file.js";
import { type ParameterObject, resolve, toReference } from "../../../contract/openapi-document.js";
import type { Operation } from "../../../contract/operations.js";
import type { MessageSide } from "./change.js";
import { toReviewed } from "./reviewed-contract.js";

export interface OperationVersion {
  contract: Contract;
  operation: Operation;
}

/** By signature. */
export function versionsOf(whole: Contract, side: MessageSide): Map<string, OperationVersion> {
  const contract = toReviewed(whole, side);
  return new Map(contract.operations.map((operation) => [signatureOf(operation), { contract, operation }]));
}

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
export function parametersIn(
  { contract, operation }: OperationVersion,
  location: string,
): Map<string, ReviewedParameter> {
  const keys: Record<string, (name: string) => string> = {
    path: (name) => String(pathNamesOf(operation).indexOf(name)),
    header: (name) => name.toLowerCase(),
  };
  const parameters = (operation.object.parameters ?? [])
    .map((place) => resolve<ReviewedParameter>(contract.document, place))
    .filter(({ in: own, name }) => own === location && !(own === "header" && IGNORED_HEADERS.has(name.toLowerCase())));
  return new Map(parameters.map((parameter) => [keys[location]?.(parameter.name) ?? parameter.name, parameter]));
}

/** How a parameter is written (OpenAPI 3.1 §4.8.12.2). */
export function serializationOf({ in: location, style, explode }: ReviewedParameter) {
  const isForm = location === "query" || location === "cookie";
  const own = style ?? (isForm ? "form" : "simple");
  return { style: own, explode: explode ?? own === "form" };
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
      const own = [status, `${status[0]}XX`, "default"].find((name) => Object.hasOwn(object.responses, name));
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
