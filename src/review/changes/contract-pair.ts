// Two versions of an operation, side by side.
import type { Contract } from "../../contract/contract.js";
import type { Pointer } from "../../contract/contract-file.js";
import { type ParameterObject, type Reference, resolve, toPointer } from "../../contract/openapi-document.js";
import type { Operation } from "../../contract/operations.js";

/** An operation and the contract that it is of. */
export interface Version {
  contract: Contract;
  operation: Operation;
}

export interface OperationPair {
  before: Version;
  after: Version;
}

/** Path and method, whatever the path parameters are called. */
export function signatureOf({ method, path }: Operation): string {
  return `${method} ${path.replaceAll(/{[^}]+}/g, "{}")}`;
}

export function pointerTo({ operation }: Version, ...parts: (string | number)[]): Pointer {
  return ["paths", operation.path, operation.method, ...parts];
}

/** Where a place that may be a reference is really written. */
export function follow(place: object | undefined, pointer: Pointer): Pointer {
  return place && "$ref" in place ? toPointer((place as Reference).$ref) : pointer;
}

/** What the review reads of a parameter beyond what the server needs. */
export interface ReviewedParameter extends ParameterObject {
  example?: unknown;
  deprecated?: boolean;
  style?: string;
  explode?: boolean;
  allowReserved?: boolean;
}

export interface ParameterAt {
  parameter: ReviewedParameter;
  pointer: Pointer;
}

/** The parameters by place and name; those of the path by their position, since their names are not on the wire. */
export function parametersOf(version: Version): Map<string, ParameterAt> {
  const { contract, operation } = version;
  const inPath = [...operation.path.matchAll(/{([^}]+)}/g)].map(([, name]) => name);
  const entries = (operation.object.parameters ?? []).map((place, index) => {
    const parameter = resolve<ReviewedParameter>(contract.document, place);
    const pointer = follow(place, pointerTo(version, "parameters", index));
    const name = parameter.in === "header" ? parameter.name.toLowerCase() : parameter.name;
    const key = parameter.in === "path" ? `path.${inPath.indexOf(parameter.name)}` : `${parameter.in}.${name}`;
    return [key, { parameter, pointer }] as const;
  });
  return new Map(entries);
}
