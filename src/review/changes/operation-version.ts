// An operation as one version of the contract has it.
import type { Contract } from "../../contract/contract.js";
import type { Pointer } from "../../contract/contract-file.js";
import type { ParameterObject } from "../../contract/openapi-document.js";
import type { Operation } from "../../contract/operations.js";

export interface OperationVersion {
  contract: Contract;
  operation: Operation;
}

/** Path and method, whatever the path parameters are called. */
export function signatureOf({ method, path }: Operation): string {
  return `${method} ${path.replaceAll(/{[^}]+}/g, "{}")}`;
}

export function pointerTo({ path, method }: Operation): Pointer {
  return ["paths", path, method];
}

export function pathNamesOf({ path }: Operation): string[] {
  return [...path.matchAll(/{([^}]+)}/g)].map(([, name = ""]) => name);
}

/** What the review reads of a parameter beyond what the server needs. */
export interface ReviewedParameter extends ParameterObject {
  example?: unknown;
  deprecated?: boolean;
  style?: string;
  explode?: boolean;
  allowReserved?: boolean;
}

/** The parameters in a location, by name; those of the path by position, since requests do not contain their names. */
export function parametersIn(operation: Operation, location: string): Map<string, ReviewedParameter> {
  const keys: Record<string, (name: string) => string> = {
    path: (name) => String(pathNamesOf(operation).indexOf(name)),
    header: (name) => name.toLowerCase(),
  };
  const parameters = operation.parameters.filter((parameter) => parameter.in === location);
  return new Map(parameters.map((parameter) => [keys[location]?.(parameter.name) ?? parameter.name, parameter]));
}
