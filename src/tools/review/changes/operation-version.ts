// An operation in one version of the contract.
import type { Contract } from "../../../contract/contract.js";
import type { Operation } from "../../../contract/model.js";
import type { OperationObject, ParameterObject } from "../../../contract/openapi-document.js";
import type { Pointer } from "../../../contract/pointer.js";
import type { MessageSide } from "./change.js";
import { toReviewed } from "./reviewed-contract.js";

export interface OperationVersion {
  contract: Contract;
  operation: Operation;
  /** As the document has it: the review compares all of it. */
  object: OperationObject;
}

/** By signature. */
export function versionsOf(whole: Contract, side: MessageSide): Map<string, OperationVersion> {
  const contract = toReviewed(whole, side);
  return new Map(
    contract.model.operations.map((operation) => [signatureOf(operation), toVersion(contract, operation)]),
  );
}

export function toVersion(contract: Contract, operation: Operation): OperationVersion {
  const object = contract.document.paths[operation.path]?.[operation.method] as OperationObject;
  return { contract, operation, object };
}

/** Method and path, without the names of path parameters. */
export function signatureOf({ method, path }: { method: string; path: string }): string {
  return `${method} ${path.replaceAll(/{[^}]+}/g, "{}")}`;
}

export function pointerTo({ path, method }: Pick<Operation, "path" | "method">): Pointer {
  return ["paths", path, method];
}

export function pathNamesOf({ path }: Pick<Operation, "path">): string[] {
  return [...path.matchAll(/{([^}]+)}/g)].map(([, name = ""]) => name);
}

export interface ReviewedParameter extends ParameterObject {
  deprecated?: boolean;
}

/** OpenAPI ignores header parameters of these names: `content` and `security` define them. */
export const IGNORED_HEADERS = new Set(["accept", "content-type", "authorization"]);

/** The parameters in a location, by name; path parameters by position, since requests do not contain their names. */
export function parametersIn(
  { operation, object }: OperationVersion,
  location: string,
): Map<string, ReviewedParameter> {
  const keys: Record<string, (name: string) => string> = {
    path: (name) => String(pathNamesOf(operation).indexOf(name)),
    header: (name) => name.toLowerCase(),
  };
  const parameters = ((object.parameters ?? []) as ReviewedParameter[]).filter(
    ({ in: own, name }) => own === location && !(own === "header" && IGNORED_HEADERS.has(name.toLowerCase())),
  );
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
  const names = [...new Set([was, is].flatMap(({ object }) => Object.keys(object.responses)))];
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
    const own = version.object.responses;
    const responses = [...single, ...rangeOf.keys()].flatMap((status) => {
      const key = [status, `${status[0]}XX`, "default"].find((name) => Object.hasOwn(own, name));
      return key === undefined ? [] : [[status, own[key]]];
    });
    return { ...version, object: { ...version.object, responses: Object.fromEntries(responses) } };
  };
  return { was: toShared(was), is: toShared(is), rangeOf };
}
