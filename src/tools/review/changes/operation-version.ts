// An operation in one version of the contract.
import type { Contract } from "../../../contract/contract.js";
import { mapDefined } from "../../../contract/lists.js";
import { concreteType, findMedia, isJson } from "../../../contract/media-type.js";
import type { MediaType, Operation, Parameter } from "../../../contract/model.js";
import { findResponse, isIgnoredHeader } from "../../../contract/operation.js";
import { nameIn } from "../../../contract/parameter-reader.js";
import { type Pointer, valueAt } from "../../../contract/pointer.js";
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
  const [sharedNames, pathNames] = [pathNamesOf({ path }), pathNamesOf(operation)];
  const parameters = operation.parameters.map((parameter) => {
    const name = parameter.in === "path" ? sharedNames[pathNames.indexOf(parameter.name)] : undefined;
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
  const located = operation.parameters.filter((parameter) => parameter.in === location);
  const named = located.map((parameter) => [nameIn(parameter), parameter] as const);
  return new Map(named.filter(([name]) => location !== "header" || !isIgnoredHeader(name)));
}

/**
 * Declares the same statuses and media types in both versions, so that they are compared one by one. What a version
 * says of a range, it says of each status and type in it that the other one names. For example, of `text/*` without a
 * body of that type:
 *
 *   was  200, 4XX       →  200, 4XX, 404 (as 4XX)   text/*     →  text/csv, text/plain (both as text/*)
 *   is   200, 404, 4XX  →  200, 4XX, 404            text/csv   →  text/csv
 */
export function shareRanges(was: OperationVersion, is: OperationVersion): [OperationVersion, OperationVersion] {
  const both = [was.operation, is.operation];
  const keys = [...new Set(both.flatMap(({ responses }) => responses.map(({ key }) => key)))];
  const bodies = both.map(({ body }) => body);
  const statuses = mapDefined(keys, (key) => {
    const status = statusOf(key, keys);
    return status === undefined ? undefined : { key, status, responses: both.map((one) => findResponse(one, status)) };
  });
  const share = ({ contract, operation }: OperationVersion): OperationVersion => {
    const { body } = operation;
    const responses = mapDefined(statuses, ({ key, status, responses }) => {
      const declared = findResponse(operation, status);
      return declared && { ...shareTypes(declared, responses), key, status };
    });
    return { contract, operation: { ...operation, body: body && shareTypes(body, bodies), responses } };
  };
  return [share(was), share(is)];
}

/** A status that a key stands for, and no other key: 499 for `4XX`. For `default`, one of a class without a range. */
function statusOf(key: string, keys: readonly string[]): number | undefined {
  if (/^\d+$/.test(key)) return Number(key);
  const digit = key === "default" ? [..."2543"].find((one) => !keys.includes(`${one}XX`)) : key[0];
  const all = Array.from({ length: 100 }, (_none, index) => Number(digit) * 100 + 99 - index);
  return digit === undefined ? undefined : all.find((status) => !keys.includes(String(status)));
}

/** A body in the single types that either version names, and for a range in one more. */
function shareTypes<Body extends { content: readonly MediaType[] }>(
  body: Body,
  both: readonly ({ content: readonly MediaType[] } | undefined)[],
): Body {
  const { content } = body;
  const types = new Set(both.flatMap((one) => one?.content ?? []).map(({ type }) => mediaTypeNameOf(type)));
  const isRange = (type: string) => type.includes("*");
  const single = [...types].map((range) => {
    const usual = concreteType(range);
    return isRange(range) && types.has(usual) ? range.replaceAll("*", "vnd.example") : usual;
  });
  const shared = mapDefined([...new Set(single)], (type) => {
    const media = content.find((one) => mediaTypeNameOf(one.type) === type) ?? findMedia(content, type);
    return media && { ...media, type };
  });
  return [...types].some(isRange) ? { ...body, content: shared } : body;
}

/** In lower case; without a charset, since JSON is always UTF-8 (RFC 8259 §8.1). */
export function mediaTypeNameOf(mediaType: string): string {
  const name = mediaType.toLowerCase().replaceAll(/\s/g, "");
  return isJson(name) ? name.replace(/;charset="?utf-?8"?$/, "") : name;
}
