// The two operations that laws know, recognized by method and path, and which laws still apply under a proposal: it may
// change the requests that laws send, the pages they read, or the members they compare.

import type { Contract } from "../../contract/contract.js";
import { implementedContract, isImplemented } from "../../contract/implemented.js";
import { isEqual } from "../../contract/json.js";
import { memoize } from "../../contract/memoize.js";
import type { Operation } from "../../contract/model.js";
import { findResponse, mainMedia, rejectionStatusOf, successOf } from "../../contract/operation-responses.js";
import { FILTERS } from "./notification-model.js";

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

/** Page sizes; undefined if the contract pages its list in another way. */
export function pageSizesOf(contract: Contract): { largest: number; standard: number } | undefined {
  const list = findOperation(contract, "listNotifications");
  const [page, limit] = ["page", "limit"].map((name) => list?.parameters.find((parameter) => parameter.name === name));
  const { minimum, maximum, default: standard = 10 } = limit?.schema.flat ?? {};
  const isKnown = page && minimum === 1 && Number(maximum) < 2 ** 31;
  return isKnown ? { largest: Number(maximum), standard: Number(standard) } : undefined;
}

/** Explains why no law of a known operation applies: the contract changed its valid request or its success. Cached. */
export const changesOf = memoize((contract: Contract) =>
  memoize((operation: Operation) => findChange(contract, operation)),
);

function findChange(contract: Contract, operation: Operation): string | undefined {
  const id = knownNameOf(operation);
  if (!id) return `the contract has another method or path of ${operation.id}`;
  const { parameters, responses } = operation;
  const required = parameters.find((parameter) => parameter.isRequired && parameter.in !== "path");
  if (required) return `the contract requires ${required.in}.${required.name} of ${id}`;
  const success = successOf(operation);
  if (success?.status !== 200) return `success of ${id} is ${success?.status}`;
  if (!success.headers.some(({ name }) => name === "X-Request-Id")) return `success of ${id} has other headers`;
  const areJson = responses.every((response) => mainMedia(response)?.isJson !== false);
  if (!areJson) return `the contract has responses of ${id} that are not JSON`;
  const { schema, type } = mainMedia(operation.body) ?? {};
  if (type !== undefined && type !== "application/json") return `the contract has ${type} bodies of ${id}`;
  if (schema && !schema.allows({ channels: {} })) return `the contract has another body of ${id}`;
  if (schema) return undefined; // an update has no pages
  return pageSizesOf(contract) ? undefined : `the contract has other pages of ${id}`;
}

/** The parts of a known operation that a proposal leaves unchanged, for the laws of one exchange. */
export interface UnchangedParts {
  /** True if the success still has these members, with the same types: `data.createdAt`. */
  hasMembers(...paths: string[]): boolean;
  /** True if a parameter is serialized the same way. Its bounds and default may differ. */
  hasParameter(name: string): boolean;
  /** True if the package's own contract declares the status, so that laws know what leads to it. */
  hasStatus(status: number): boolean;
}

export const unchangedPartsOf = memoize((contract: Contract) =>
  memoize((operation: Operation): UnchangedParts => {
    const name = knownNameOf(operation);
    if (!name || isImplemented(contract))
      return { hasMembers: () => true, hasParameter: () => true, hasStatus: () => true };
    const known = implementedContract();
    const original = findOperation(known, name) as Operation; // the package's contract has both
    const isSame = (describe: (own: Operation) => unknown) => isEqual(describe(operation), describe(original));
    return {
      hasMembers: (...paths) => paths.every((path) => isSame((own) => typeAt(own, path))),
      hasParameter: (parameter) => isSame((own) => formOf(own, parameter)),
      hasStatus: (status) => findResponse(original, status) !== undefined,
    };
  }),
);

/** Members of an error that laws read, as the package's own contract has them. */
const ERROR_MEMBERS = {
  ctx: { decision: "D-19" },
  errors: { "query.limit": { messages: ["must be at most 50"] } },
  timestamp: "2026-11-02T09:00:00.000Z",
};
export type ErrorMember = keyof typeof ERROR_MEMBERS;

/**
 * True if errors of a status have a member in the form that laws read. A proposal may list violations in another one.
 */
export function hasErrorMember(operation: Operation, status: number, name: ErrorMember): boolean {
  return mainMedia(findResponse(operation, status))?.schema?.members.get(name)?.allows(ERROR_MEMBERS[name]) === true;
}

/** Laws that compare several responses need these. */
const READ_MEMBERS: Readonly<Record<KnownOperation, readonly string[]>> = {
  listNotifications: [
    "page",
    "pageSize",
    "hasMore",
    "data",
    "data._id",
    "data.createdAt",
    "data.subscriber.firstName",
    "data.subscriber.lastName",
    ...Object.values(FILTERS).flatMap(({ members }) => members),
  ],
  updatePreferences: [
    "global.enabled",
    "global.channels",
    "workflows.enabled",
    "workflows.channels",
    ...["overrides.channel", "overrides.source", "workflow.slug", "workflow.identifier"].map((at) => `workflows.${at}`),
  ],
};

/** Explains why no law of several requests applies: the contract changed a part that they compare. Cached. */
export const lawChangesOf = memoize((contract: Contract) =>
  memoize((operation: Operation) => changesOf(contract)(operation) ?? findOtherPart(contract, operation)),
);

function findOtherPart(contract: Contract, operation: Operation): string | undefined {
  const name = knownNameOf(operation);
  if (!name) return undefined;
  if (rejectionStatusOf(operation) !== 422) return `invalid requests of ${operation.id} are 400 in the contract`;
  const lacking = [400, 402, 404].find((status) => hasOnlyOwn(name, operation, status));
  if (lacking !== undefined) return `the contract has no ${lacking} of ${operation.id}`;
  const schema = mainMedia(operation.body)?.schema;
  if (schema && !schema.allows({ channels: {}, workflowId: "x" }))
    return `the contract has another body.workflowId of ${operation.id}`;
  const channels = [...(schema?.member("channels")?.members.values() ?? [])];
  const areSwitches = channels.every((channel) => channel.allows(true) && channel.allows(false));
  if (!areSwitches) return `the contract has another body.channels of ${operation.id}`;
  const { hasMembers, hasParameter } = unchangedPartsOf(contract)(operation);
  const parameters = name === "listNotifications" ? ["page", ...Object.keys(FILTERS)] : [];
  const parameter = parameters.find((other) => !hasParameter(other));
  const place = parameter ? `query.${parameter}` : READ_MEMBERS[name].find((path) => !hasMembers(path));
  return place && `the contract has another ${place} of ${operation.id}`;
}

/** True for a status of the package's own operation that a proposal does not declare. */
function hasOnlyOwn(name: KnownOperation, operation: Operation, status: number): boolean {
  const own = findOperation(implementedContract(), name);
  return own !== undefined && findResponse(own, status) !== undefined && findResponse(operation, status) === undefined;
}

function typeAt(operation: Operation, path: string): unknown {
  let schema = mainMedia(findResponse(operation, 200))?.schema;
  for (const name of path.split(".")) {
    const holder = schema?.flat.items ? schema.items : schema;
    schema = holder?.members.get(name);
  }
  if (!schema) return null;
  const { type, format, enum: words } = schema.flat;
  return [type, format, words, [...schema.members.keys()].sort(), schema.items.flat.type];
}

function formOf({ parameters }: Operation, name: string): unknown {
  const parameter = parameters.find((one) => one.name.toLowerCase() === name.toLowerCase());
  if (!parameter) return null;
  const { in: where, style, isExploded, schema } = parameter;
  const { type, format, minimum } = schema.flat;
  return [where, style, isExploded, type, format, name === "page" ? minimum : undefined];
}

/** True if updates have idempotency keys as in the package's own contract, which each response of a handler repeats. */
export const hasKeys = memoize((contract: Contract): boolean => {
  const update = findOperation(contract, "updatePreferences");
  const isKey = ({ name }: { name: string }) => name.toLowerCase() === "idempotency-key";
  const responses = [200, 400, 404].map((status) => update && findResponse(update, status));
  return update?.parameters.some(isKey) === true && responses.every((response) => response?.headers.some(isKey));
});
