// An operation as one version of the contract has it, and what two versions are compared by.
import type { Contract } from "../../contract/contract.js";
import type { Pointer } from "../../contract/contract-file.js";
import {
  type ParameterObject,
  type Reference,
  type RequestBodyObject,
  resolve,
  toPointer,
} from "../../contract/openapi-document.js";
import type { Operation } from "../../contract/operations.js";

export interface OperationVersion {
  contract: Contract;
  operation: Operation;
}

export interface Pair<T> {
  before: T;
  after: T;
}

export type OperationPair = Pair<OperationVersion>;

/** The same property of both versions. */
export function both<T, Value>({ before, after }: Pair<T>, read: (version: T) => Value): [Value, Value] {
  return [read(before), read(after)];
}

/** Path and method, whatever the path parameters are called. */
export function signatureOf({ method, path }: Operation): string {
  return `${method} ${path.replaceAll(/{[^}]+}/g, "{}")}`;
}

export function pointerTo({ operation }: OperationVersion, ...parts: (string | number)[]): Pointer {
  return ["paths", operation.path, operation.method, ...parts];
}

/** The pointer to the object itself where the given one leads to a reference. */
export function follow(place: object | undefined, pointer: Pointer): Pointer {
  return place && "$ref" in place ? toPointer((place as Reference).$ref) : pointer;
}

/** An object of the contract, and the pointer to it. */
export interface Located<T> {
  value: T;
  pointer: Pointer;
}

export function locate<T extends object>({ document }: Contract, place: T | Reference, pointer: Pointer): Located<T> {
  return { value: resolve<T>(document, place), pointer: follow(place, pointer) };
}

/** The request body, where the operation has one. */
export function bodyOf(version: OperationVersion): Located<RequestBodyObject> | undefined {
  const place: RequestBodyObject | Reference | undefined = version.operation.object.requestBody;
  return place && locate<RequestBodyObject>(version.contract, place, pointerTo(version, "requestBody"));
}

/** What the review reads of a parameter beyond what the server needs. */
export interface ReviewedParameter extends ParameterObject {
  example?: unknown;
  deprecated?: boolean;
  style?: string;
  explode?: boolean;
  allowReserved?: boolean;
}

/** The parameters by location and name; path parameters by their position, since requests do not contain their names. */
export function parametersOf(version: OperationVersion): Map<string, Located<ReviewedParameter>> {
  const { contract, operation } = version;
  const pathNames = [...operation.path.matchAll(/{([^}]+)}/g)].map(([, name]) => name);
  const entries = (operation.object.parameters ?? []).map((place, index) => {
    const parameter = locate<ReviewedParameter>(contract, place, pointerTo(version, "parameters", index));
    const { in: location, name } = parameter.value;
    const key = location === "path" ? pathNames.indexOf(name) : location === "header" ? name.toLowerCase() : name;
    return [`${location}.${key}`, parameter] as const;
  });
  return new Map(entries);
}
