// The two operations that laws know, recognized by method and path, and where a proposal changes what a law sends or
// reads. Additions change nothing.

import type { Contract } from "../../contract/contract.js";
import { isAnnotation } from "../../contract/grammar.js";
import { implementedContract, isImplemented } from "../../contract/implemented.js";
import { isEqual } from "../../contract/json.js";
import { memoize } from "../../contract/memoize.js";
import type { MediaType, Operation, Parameter } from "../../contract/model.js";
import { findResponse, mainMedia } from "../../contract/operation.js";
import type { Schema } from "../../contract/schema.js";
import { FILTERS } from "./notifications.js";

const PLACES = {
  updatePreferences: "patch /v2/subscribers/{}/preferences",
  listNotifications: "get /v1/notifications",
};

export type KnownOperation = keyof typeof PLACES;
export const KNOWN_OPERATIONS = Object.keys(PLACES) as KnownOperation[];

/** A path without the names of its parameters. */
export const toPlainPath = (path: string) => path.replaceAll(/{[^}]+}/g, "{}");

/** The laws' name for an operation; undefined if they do not know it. */
export const knownNameOf = memoize(({ method, path }: Operation): KnownOperation | undefined =>
  KNOWN_OPERATIONS.find((name) => PLACES[name] === `${method} ${toPlainPath(path)}`),
);

/** Finds an operation by the laws' name for it, else by its id in the contract. */
export function findOperation({ operations }: Contract, name: string): Operation | undefined {
  return operations.find((operation) => knownNameOf(operation) === name) ?? operations.find(({ id }) => id === name);
}

/** What a law sends and reads of an operation. */
export interface LawParts {
  /** `query.limit`, `header.idempotency-key`, `body.channels` */
  sends?: readonly string[];
  /** Members of responses: `200 data.createdAt`. */
  reads?: readonly string[];
  statuses?: readonly number[];
}

/** What the laws of several requests read of a success, besides what they name themselves. */
export const READS: Readonly<Record<KnownOperation, readonly string[]>> = {
  listNotifications: [
    "page",
    "pageSize",
    "hasMore",
    "data._id",
    "data.createdAt",
    ...Object.values(FILTERS).flatMap(({ members }) => members),
  ].map((member) => `200 ${member}`),
  updatePreferences: [
    "global.enabled",
    "global.channels",
    "workflows.enabled",
    "workflows.channels",
    "workflows.overrides.channel",
    "workflows.overrides.source",
    "workflows.workflow.slug",
    "workflows.workflow.identifier",
  ].map((member) => `200 ${member}`),
};

/** Names what a contract has changed of the parts of a law; undefined if they are those of the package's own. */
export function findChange(contract: Contract, operation: Operation, parts: LawParts = {}): string | undefined {
  if (isImplemented(contract)) return undefined;
  const { sends = [], reads = [], statuses = [] } = parts;
  const hasChanged = changesOf(contract)(operation);
  const places = ["request", ...sends, ...statuses.map(String), ...reads];
  const place = places.find(hasChanged);
  return place && `the contract changed here: ${place} of ${operation.id}`;
}

const changesOf = memoize((_contract: Contract) =>
  memoize((operation: Operation) => {
    const name = knownNameOf(operation);
    const known = name && findOperation(implementedContract(), name);
    const verdicts = new Map<string, boolean>();
    return (place: string): boolean => {
      if (!known) return true;
      const verdict = verdicts.get(place) ?? isChanged(operation, known, place);
      verdicts.set(place, verdict);
      return verdict;
    };
  }),
);

function isChanged(operation: Operation, known: Operation, place: string): boolean {
  if (place === "request") return isRequestChanged(operation, known);
  const [status = "", path] = place.split(" ");
  if (/^\d+$/.test(status)) return isResponseChanged(operation, known, Number(status), path);
  const [source, ...names] = place.split(".");
  const name = names.join(".");
  if (source !== "body") return !isSameParameter(parameterAt(operation, name), parameterAt(known, name));
  const [declared, original] = [operation, known].map(({ body }) => mainMedia(body)?.schema?.members.get(name));
  return !isSameSchema(declared, original, "request");
}

/** True if a request that laws send is not valid, or means something else, whatever its parameters. */
function isRequestChanged(operation: Operation, known: Operation): boolean {
  const isNew = ({ isRequired, name }: Parameter) => isRequired && !parameterAt(known, name)?.isRequired;
  const isOfPath = (parameter: Parameter) => parameter.in === "path";
  const [paths, knownPaths] = [operation, known].map(({ parameters }) => parameters.filter(isOfPath));
  const isSamePath = paths?.every((path, index) => isSameSchema(path.schema, knownPaths?.[index]?.schema, "request"));
  const [media, knownMedia] = [operation, known].map(({ body }) => mainMedia(body));
  const isSameBody =
    isEqual(typesOf(operation.body), typesOf(known.body)) &&
    operation.body?.isRequired === known.body?.isRequired &&
    isSameLevel(media?.schema, knownMedia?.schema, "request");
  const isSameKey = isEqual(operation.security, known.security);
  return !isSameKey || !isSamePath || !isSameBody || operation.parameters.some((one) => !isOfPath(one) && isNew(one));
}

function isResponseChanged(operation: Operation, known: Operation, status: number, path?: string): boolean {
  const [declared, original] = [operation, known].map((one) => findResponse(one, status));
  if (!original) return declared !== undefined; // laws do not know what leads to it
  const [media, knownMedia] = [declared, original].map((response) => mainMedia(response));
  if (!declared || !isEqual(typesOf(declared), typesOf(original))) return true;
  if (path !== undefined) return !isSameSchema(memberAt(media?.schema, path), memberAt(knownMedia?.schema, path));
  const names = new Set(declared.headers.map(({ name }) => name.toLowerCase()));
  return !original.headers.every(({ name }) => names.has(name.toLowerCase()));
}

const typesOf = ({ content }: { content: readonly MediaType[] } = { content: [] }) => content.map(({ type }) => type);

function parameterAt({ parameters }: Operation, name: string): Parameter | undefined {
  return parameters.find((one) => one.in !== "path" && one.name.toLowerCase() === name.toLowerCase());
}

function isSameParameter(declared: Parameter | undefined, known: Parameter | undefined): boolean {
  if (!declared || !known) return declared === known;
  const formOf = ({ in: where, style, isExploded, allowsEmptyValue }: Parameter) => [
    where,
    style,
    isExploded,
    allowsEmptyValue,
  ];
  return isEqual(formOf(declared), formOf(known)) && isSameSchema(declared.schema, known.schema, "request");
}

/** Follows lists to their items. */
function memberAt(schema: Schema | undefined, path: string): Schema | undefined {
  return path.split(".").reduce<Schema | undefined>((level, name) => {
    const holder = level?.flat.items ? level.items : level;
    return holder?.members.get(name);
  }, schema);
}

type Direction = "request" | "response";

function isSameSchema(
  declared?: Schema,
  known?: Schema,
  direction: Direction = "response",
  around: Schema[] = [],
): boolean {
  if (!declared || !known) return declared === known;
  if (around.includes(known)) return true; // it contains itself
  if (!isSameLevel(declared, known, direction)) return false;
  const inside = [...around, known];
  const isSameMember = ([name, schema]: [string, Schema]) =>
    isSameSchema(declared.members.get(name), schema, direction, inside);
  if (![...known.members].every(isSameMember)) return false;
  return known.flat.items === undefined || isSameSchema(declared.items, known.items, direction, inside);
}

/** Compares keywords, without members and items. */
function isSameLevel(declared: Schema | undefined, known: Schema | undefined, direction: Direction): boolean {
  if (!declared || !known) return declared === known;
  const has = (names: readonly string[]) => (name: string) => names.includes(name);
  const isRequired = known.required.every(has(declared.required));
  const isAdded = direction === "request" && !declared.required.every(has(known.required));
  return isRequired && !isAdded && isEqual(keywordsOf(declared), keywordsOf(known));
}

function keywordsOf({ flat }: Schema): object {
  const { properties: _members, required: _required, items, ...keywords } = flat;
  const entries = Object.entries(keywords).filter(([name]) => !isAnnotation(name));
  return { ...Object.fromEntries(entries), hasItems: items !== undefined };
}

/** True for a place, or one inside it: `query.channels.0`, `query.channels[0]`. The names of headers have no case. */
export function isAt(name: string, location: string): boolean {
  const place = location.startsWith("header.") ? name.toLowerCase() : name;
  return place === location || [".", "["].some((mark) => place.startsWith(location + mark));
}
