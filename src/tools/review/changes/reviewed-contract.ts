// A contract as the review reads it, and an operation in one version of it. The other tools leave out what they do not support; the review compares
// everything. Three things are put into keywords that it knows, so that validator and proofs understand them:
//   readOnly, writeOnly    a member that a request, or a response, must not have is `false`, and not required
//   unevaluatedProperties  becomes `additionalProperties` where `$ref` and `allOf` alone name the members
//   nullable               is renamed: it has no effect in OpenAPI 3.1, but the validator would apply it
import { type Contract, createContract } from "../../../contract/contract.js";
import { type Kind, mapParts, walkNodes } from "../../../contract/grammar.js";
import { isObject } from "../../../contract/json.js";
import { mapDefined } from "../../../contract/lists.js";
import { concreteType, findMedia, isJson } from "../../../contract/media-type.js";
import { memoize } from "../../../contract/memoize.js";
import type { MediaType, Operation, Parameter } from "../../../contract/model.js";
import { findResponse, isIgnoredHeader } from "../../../contract/operation.js";
import { nameIn } from "../../../contract/parameter-reader.js";
import { type Pointer, valueAt } from "../../../contract/pointer.js";
import { createSchemas, type SchemaObject } from "../../../contract/schema.js";
import { HIDDEN_BY, type SchemaNode } from "../../../contract/schema-node.js";
import type { MessageSide } from "./change.js";

/** Stands beside `not` for a member that is forbidden by its direction. */
export const FORBIDDEN_BY = "x-forbidden-by";

/** Stands for `nullable`. */
export const NULLABLE = "review:nullable";

const REWRITTEN = new Set(["readOnly", "writeOnly", "unevaluatedProperties", "nullable"]);

/** The same contract if nothing has to be rewritten. */
function reviewedOf(contract: Contract, side: MessageSide): Contract {
  return viewsOf(contract)[side];
}

const viewsOf = memoize((contract: Contract): Record<MessageSide, Contract> => {
  const nodes = [...walkNodes(contract.file.value)];
  const isRewritten = nodes.some(
    ({ kind, value }) => kind === "schema" && Object.keys(value).some((key) => REWRITTEN.has(key)),
  );
  if (!isRewritten) return { request: contract, response: contract };
  return { request: createView(contract, "request"), response: createView(contract, "response") };
});

function createView(contract: Contract, side: MessageSide): Contract {
  const written = contract.file.value as object;
  const schemaOf = createSchemas({ document: written, pointerOf: () => undefined, errorsOf: () => [] });
  const view = createContract({ ...contract.file, value: rewrite(written, "document", []) });
  return { ...view, file: contract.file, unchecked: contract.unchecked };

  function rewrite(part: unknown, kind: Kind, pointer: Pointer): unknown {
    if (!isObject(part)) return part;
    const copy = mapParts(kind, part, (child) => rewrite(child.value, child.kind, [...pointer, ...child.path]));
    if (kind !== "schema") return copy;
    const { nullable, ...schema } = copy;
    forbidMembers(schema, part);
    closeUnevaluated(schema, part, pointer);
    return nullable === undefined ? schema : { ...schema, [NULLABLE]: nullable };
  }

  function forbidMembers(copy: SchemaObject, { properties = {} }: SchemaObject): void {
    const names = Object.keys(properties).filter((name) => schemaOf(properties[name] as SchemaNode).isHiddenIn(side));
    const forbidden = names.map((name) => {
      return [name, { ...copy.properties?.[name], not: {}, [FORBIDDEN_BY]: HIDDEN_BY[side] }];
    });
    if (names.length > 0) copy.properties = { ...copy.properties, ...Object.fromEntries(forbidden) };
    if (copy.required) copy.required = copy.required.filter((name) => !names.includes(name));
  }

  function closeUnevaluated(copy: SchemaObject, schema: SchemaObject, pointer: Pointer): void {
    const { unevaluatedProperties: written, ...rest } = schema;
    const { unevaluatedProperties: unevaluated } = copy;
    const flat = schemaOf(rest).flat;
    if (written === undefined || BRANCHES.some((keyword) => keyword in flat)) return;
    delete copy.unevaluatedProperties;
    if (flat.additionalProperties !== undefined) return; // it evaluates all members
    const evaluated = (members: object = {}) => Object.fromEntries(Object.keys(members).map((name) => [name, {}]));
    const closing = {
      properties: evaluated(flat.properties),
      patternProperties: evaluated(flat.patternProperties as object | undefined),
      additionalProperties: unevaluated as SchemaNode,
      "x-place": pointer,
    };
    copy.allOf = [...(copy.allOf ?? []), closing as SchemaObject];
  }
}

/** Keywords that evaluate members depending on the value, or in a way that could not be merged. */
const BRANCHES = ["anyOf", "oneOf", "if", "dependentSchemas", "allOf"];

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
