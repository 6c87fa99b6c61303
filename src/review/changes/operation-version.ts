// An operation as one version of the contract has it, and where its parts stand.
import type { Contract } from "../../contract/contract.js";
import type { Pointer } from "../../contract/contract-file.js";
import { type ParameterObject, type Reference, resolve, toPointer } from "../../contract/openapi-document.js";
import type { Operation } from "../../contract/operations.js";

export interface OperationVersion {
  contract: Contract;
  operation: Operation;
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
export interface ContractPlace<T> {
  value: T;
  pointer: Pointer;
}

export function dereference<T extends object>(
  { document }: Contract,
  place: T | Reference,
  pointer: Pointer,
): ContractPlace<T> {
  return { value: resolve<T>(document, place), pointer: follow(place, pointer) };
}

/** What the review reads of a parameter beyond what the server needs. */
export interface ReviewedParameter extends ParameterObject {
  example?: unknown;
  deprecated?: boolean;
  style?: string;
  explode?: boolean;
  allowReserved?: boolean;
}

export interface ParameterPlace extends ContractPlace<ReviewedParameter> {
  /** The name; of path parameters their position, since requests do not contain their names. */
  key: string;
}

export function parametersOf(version: OperationVersion): ParameterPlace[] {
  const { contract, operation } = version;
  const pathNames = pathNamesOf(operation);
  return (operation.object.parameters ?? []).map((place, index) => {
    const parameter = dereference<ReviewedParameter>(contract, place, pointerTo(version, "parameters", index));
    const { in: location, name } = parameter.value;
    const key =
      location === "path" ? String(pathNames.indexOf(name)) : location === "header" ? name.toLowerCase() : name;
    return { ...parameter, key };
  });
}

export function pathNamesOf({ path }: Operation): string[] {
  return [...path.matchAll(/{([^}]+)}/g)].map(([, name = ""]) => name);
}
