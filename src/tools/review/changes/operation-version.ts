// An operation in one version of the contract.
import type { Contract } from "../../../contract/contract.js";
import { mapDefined } from "../../../contract/lists.js";
import { concreteType, findMedia, isJson } from "../../../contract/media-type.js";
import type { DeclaredResponse, MediaType, Operation, Parameter } from "../../../contract/model.js";
import { findResponse } from "../../../contract/operation-responses.js";
import { nameIn } from "../../../contract/parameter-text.js";
import { type Pointer, valueAt } from "../../../contract/pointer.js";
import { isIgnoredHeader } from "../../../contract/request-schema.js";
import type { MessageSide } from "./change.js";
import { reviewedOf } from "./reviewed-contract.js";

export interface OperationVersion {
  contract: Contract;
  operation: Operation;
}

/** By signature. */
export function versionsOf(whole: Contract, side: MessageSide): Map<string, OperationVersion> {
  const contract = reviewedOf(whole, side);
  return new Map(contract.operations.map((operation) => [signatureOf(operation), { contract, operation }]));
}

/** Method and path, without the names of path parameters. */
export function signatureOf({ method, path }: { method: string; path: string }): string {
  return `${method} ${path.replaceAll(/{[^}]+}/g, "{}")}`;
}

/** The newer version with the path of the older one: requests do not contain the names of path parameters. */
export function withPathOf({ operation: { path } }: OperationVersion, newer: OperationVersion): OperationVersion {
  const { contract, operation } = newer;
  const [names, own] = [pathNamesOf({ path }), pathNamesOf(operation)];
  const parameters = operation.parameters.map((parameter) => {
    const name = parameter.in === "path" ? names[own.indexOf(parameter.name)] : undefined;
    return name === undefined ? parameter : { ...parameter, name };
  });
  return { contract, operation: { ...operation, path, parameters } };
}

/** A part of the contract as written. */
export function writtenAt({ contract }: OperationVersion, pointer: Pointer): Record<string, unknown> {
  return (valueAt(contract.file.value, pointer) ?? {}) as Record<string, unknown>;
}

export function pathNamesOf({ path }: Pick<Operation, "path">): string[] {
  return [...path.matchAll(/{([^}]+)}/g)].map(([, name = ""]) => name);
}

/** The parameters in a location, by name. */
export function parametersIn({ operation }: OperationVersion, location: Parameter["in"]): Map<string, Parameter> {
  const own = operation.parameters.filter((parameter) => parameter.in === location);
  const named = own.map((parameter) => [nameIn(parameter), parameter] as const);
  return new Map(named.filter(([name]) => location !== "header" || !isIgnoredHeader(name)));
}

const RANGE = /^(\d)XX$|^default$/;

/**
 * Declares the same single statuses in both versions, so that they can be compared one by one. A range stands for each status that
 * either version names, and for one that neither names:
 *
 *   was  200, 4XX          →  200, 404 (as 4XX), 499 (as 4XX)
 *   is   200, 404, 4XX     →  200, 404,          499 (as 4XX)
 *
 * `rangeOf` has `4XX` for 499.
 */
export function withSharedStatuses(was: OperationVersion, is: OperationVersion) {
  const keys = [...new Set([was, is].flatMap(({ operation }) => operation.responses.map(({ key }) => key)))];
  const single = keys.filter((key) => !RANGE.test(key));
  const ranges = keys.filter((key) => RANGE.test(key)).toSorted();
  const rangeOf: ReadonlyMap<string, string> = new Map(
    mapDefined(ranges, (range) => {
      const status = findUnnamed(range, keys);
      return status === undefined ? undefined : [status, range];
    }),
  );
  if (ranges.length === 0) return { was, is, rangeOf };
  const statuses = [...single, ...rangeOf.keys()];
  return { was: withStatuses(was, statuses), is: withStatuses(is, statuses), rangeOf };
}

/** A status of a range that no key names: 499 of `4XX`. For `default`, one of a class without a range. */
function findUnnamed(range: string, keys: readonly string[]): string | undefined {
  const isFree = (digit: string) => !keys.includes(`${digit}XX`);
  const digit = range === "default" ? [..."2543"].find(isFree) : range[0];
  const all = Array.from({ length: 100 }, (_none, index) => `${digit}${String(99 - index).padStart(2, "0")}`);
  return digit && all.find((status) => !keys.includes(status));
}

/** The operation with each of these statuses that it declares, by itself or in a range. */
function withStatuses({ contract, operation }: OperationVersion, statuses: readonly string[]): OperationVersion {
  const responses = mapDefined(statuses, (status): DeclaredResponse | undefined => {
    const declared = findResponse(operation, Number(status));
    return declared ? { ...declared, key: status, status: Number(status) } : undefined;
  });
  return { contract, operation: { ...operation, responses } };
}

/**
 * Declares single media types in both versions. A range stands for each type that either version names, and for one that neither
 * names:
 *
 *   was  text/*          →  text/csv (as text/*), text/plain (as text/*)
 *   is   text/csv        →  text/csv
 */
export function withSharedTypes(was: OperationVersion, is: OperationVersion): [OperationVersion, OperationVersion] {
  const partsOf = ({ body, responses }: Operation) => [...(body ? [{ ...body, key: "body" }] : []), ...responses];
  const all = [was, is].flatMap(({ operation }) => partsOf(operation));
  const share = <Part extends { content: readonly MediaType[]; key?: string }>(part: Part): Part => {
    const both = all.filter(({ key }) => key === (part.key ?? "body")).flatMap(({ content }) => content);
    return { ...part, content: withTypes(part.content, [...new Set(both.map(({ type }) => mediaTypeNameOf(type)))]) };
  };
  const shareAll = ({ contract, operation }: OperationVersion): OperationVersion => {
    const { body, responses } = operation;
    return { contract, operation: { ...operation, body: body && share(body), responses: responses.map(share) } };
  };
  return [shareAll(was), shareAll(is)];
}

/** What these types, and others of their ranges, are declared as. */
function withTypes(content: readonly MediaType[], types: readonly string[]): readonly MediaType[] {
  const ranges = types.filter((type) => type.includes("*"));
  if (ranges.length === 0) return content;
  const named = types.filter((type) => !ranges.includes(type));
  const unnamed = ranges.map((range) => {
    const usual = concreteType(range);
    return named.includes(usual) ? range.replaceAll("*", "vnd.example") : usual;
  });
  return mapDefined([...named, ...new Set(unnamed)], (type) => {
    const media = content.find((one) => mediaTypeNameOf(one.type) === type) ?? findMedia(content, type);
    return media && { ...media, type };
  });
}

/** In lower case; without a charset, since JSON is always UTF-8 (RFC 8259 §8.1). */
export function mediaTypeNameOf(mediaType: string): string {
  const name = mediaType.toLowerCase().replaceAll(/\s/g, "");
  return isJson(name) ? name.replace(/;charset="?utf-?8"?$/, "") : name;
}
