// Finds the operation of a request, and validates the request against it: a 422 lists every violation (D-49). The errors
// of an unknown path (404) and method (405) suggest what is nearest.
import type { Contract } from "../../contract/contract.js";
import { findMedia, isJson } from "../../contract/media-type.js";
import { memoize } from "../../contract/memoize.js";
import type { ContractModel, MediaType, Operation, PathMatch } from "../../contract/model.js";
import { findNearestName } from "../../contract/nearest-name.js";
import { allowedMethods, operationFor, type RequestValues } from "../../contract/operation.js";
import { createReadQuery, type Query, readOthers } from "../../contract/parameter-reader.js";
import { valueAt } from "../../contract/pointer.js";
import { splitTarget } from "../../contract/target.js";
import { createViolation, type Violation } from "../../contract/violation.js";
import { BODY_ERRORS, type ErrorEntry, RequestError } from "./errors.js";
import type { Exchange, RequestInput } from "./exchange.js";
import { LIMITS } from "./limits.js";

export interface ErrorHints {
  /** Where clients find it. */
  contractPath?: string;
  /** Methods that are handled at every path. */
  otherMethods?: readonly string[];
}

/**
 * Finds the operation of a request at a path, and sets it and the path's parameters.
 * @throws RequestError for a path or method that the contract lacks, and for a parameter that cannot be decoded
 */
export function findOperation(
  exchange: Pick<Exchange, "method" | "path" | "input" | "operation">,
  match: PathMatch | undefined,
  { operations }: Pick<ContractModel, "operations">,
  { contractPath, otherMethods = ["OPTIONS"] }: ErrorHints = {},
): Operation {
  const { method } = exchange;
  if (!match) throw createPathError(exchange, { operations }, contractPath);
  const values = Object.entries(match.parameters).map(([name, value]) => [name, decode(value)]);
  const operation = operationFor(match, method);
  if (!operation) throw createMethodError(method, match.operations, otherMethods);
  exchange.operation = operation;
  exchange.input.path = Object.fromEntries(values);
  return operation;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw BODY_ERRORS.undecodable();
  }
}

/** The result of a validator: the violations, and the values with defaults. */
export interface Validation {
  violations: readonly Violation[];
  input: RequestInput;
}

/** Checks the values of a request against their schemas. Each shell has its own validator. */
export type Validate = (
  operation: Operation,
  values: RequestValues,
  media: MediaType | undefined,
) => Validation | Promise<Validation>;

/** A body as it was parsed; of a media type that the operation does not declare, any value. */
export interface ParsedBody {
  value: unknown;
}

/**
 * The declared form of a body; undefined if a range alone covers it.
 * @param sent the `Content-Type`.
 * @throws RequestError for a form that the contract does not declare (D-53)
 */
export function findForm(sent: string | undefined, content: readonly MediaType[]): MediaType | undefined {
  const media = sent === undefined ? undefined : findMedia(content, sent);
  const types = content.map(({ type }) => type);
  if (!media) throw BODY_ERRORS.mediaType(sent, types);
  return media.isJson && !isJson(sent ?? "") ? undefined : media;
}

type CitingContract = Pick<Contract, "findCitation">;

interface ValidateOptions {
  contract: CitingContract;
  validate: Validate;
  /** Undefined for a request without one. */
  body: ParsedBody | undefined;
}

/**
 * Returns the valid input, with types and defaults.
 * @throws RequestError with every violation
 */
export async function validateRequest(
  { target, headers, input: { path } }: Pick<Exchange, "target" | "headers" | "input">,
  operation: Operation,
  { contract, validate, body: parsed }: ValidateOptions,
): Promise<RequestInput> {
  const media = parsed && findForm(headers["content-type"]?.toString(), operation.body?.content ?? []);
  const body = parsed?.value;
  if (isDeeper(body, LIMITS.bodyDepth)) {
    const violation = createViolation("bodyDepth", ["body"], { limit: LIMITS.bodyDepth });
    throw createInvalidRequest([violation], { contract, operation });
  }
  const query = readQuery(operation, target);
  const pathAndHeaders = readOthers(operation.parameters, { path, headers });
  const values = { ...pathAndHeaders, query: query.values, ...(body === undefined ? {} : { body }) };
  const { violations, input } = await validate(operation, values, media);
  const unknown = query.unknown.map((name) => createViolation("additionalProperties", ["query", name])); // D-28
  const repeated = query.repeated.map((name) => createViolation("explode", ["query", name]));
  if (violations.length + unknown.length + repeated.length > 0) {
    const sent = [{ path, query: query.texts, header: headers }, { body }];
    throw createInvalidRequest([...violations, ...unknown, ...repeated], { contract, operation, media, sent });
  }
  return input;
}

const queryReaderOf = memoize(createReadQuery);

/** Rejects an invalid percent-encoding (D-50). */
function readQuery(operation: Operation, target: string): Query {
  try {
    return queryReaderOf(operation)(splitTarget(target).query);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    const message = "The query has an invalid percent-encoding. Encode it with encodeURIComponent.";
    throw new RequestError("undecodableQuery", message);
  }
}

/** Recurses no deeper than `levels`: a deep body would overflow the stack. */
function isDeeper(value: unknown, levels: number): boolean {
  if (levels < 0) return true;
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some((member) => isDeeper(member, levels - 1));
}

// A body of 100 kB can have ten thousand violations (D-49).
const MAX_ENTRIES = 100;
const MAX_IN_MESSAGE = 10;

interface InvalidRequest {
  contract: CitingContract;
  operation: Operation;
  media?: MediaType | undefined;
  /** The values as texts, and as they were read. */
  sent?: readonly object[];
}

function createInvalidRequest(
  violations: readonly Violation[],
  { contract, operation, media, sent = [] }: InvalidRequest,
): RequestError {
  const entries = new Map<string, ErrorEntry>();
  for (const { location, path = [], code, message } of inOrder(withoutRepetitions(violations))) {
    if (entries.size >= MAX_ENTRIES && !entries.has(location)) continue;
    const value = sent.map((values) => valueAt(values, path)).find((known) => known !== undefined);
    const isEmpty = value === "" && path[0] === "query"; // D-27
    const violation = { code: isEmpty ? "allowEmptyValue" : code, media };
    const { citation, knownNames = [] } = contract.findCitation(operation, path, violation);
    const entry = entries.get(location) ?? {
      code: toPublicCode(code),
      messages: [],
      ...(value === undefined ? {} : { value }),
      ...citation,
    };
    entry.messages.push(`${message}${remedyFor({ path, code, value }, operation, knownNames)}`);
    entries.set(location, entry);
  }
  const list = [...entries].map(([location, { messages }]) => `${location} ${messages.join(" and ")}`);
  const rest = list.length > MAX_IN_MESSAGE ? ". See `errors` for the rest." : "";
  const message = `${list.slice(0, MAX_IN_MESSAGE).join(". ").replaceAll("?. ", "? ")}${rest}`;
  return new RequestError("invalidRequest", message, { violations: Object.fromEntries(entries) });
}

const { compare } = new Intl.Collator("en", { numeric: true }); // body.items.2 before body.items.10

/** By place, so that the order of the contract's parameters means nothing. */
function inOrder(violations: readonly Violation[]): Violation[] {
  return violations.toSorted((one, other) => compare(one.location, other.location));
}

/** `false schema` → `falseSchema`. */
function toPublicCode(code: Violation["code"] = "invalid"): string {
  return code.replaceAll(/ (.)/g, (_all, letter: string) => letter.toUpperCase());
}

/** A pattern beside a format repeats the violation, less readably. */
function withoutRepetitions(violations: readonly Violation[]): Violation[] {
  const formats = new Set(violations.filter(({ code }) => code === "format").map(({ location }) => location));
  return violations.filter(({ code, location }) => code !== "pattern" || !formats.has(location));
}

/** Says what to send, where the sentence about the violation does not. */
function remedyFor(
  { path, code, value }: { path: readonly string[]; code: Violation["code"]; value: unknown },
  { parameters }: Operation,
  names: readonly string[],
): string {
  const [place, name = ""] = path;
  if (code === "required" && place === "body" && path.length === 1) return ": send JSON";
  if (code === "pattern" && place === "query" && name === "templates")
    return "; it is the _id of a workflow, not its identifier";
  if (code === "enum" && place === "query" && typeof value === "string" && value.includes(","))
    return `; ${repeat(name, value.split(","))}`;
  if (code !== "additionalProperties" && code !== "unevaluatedProperties") return "";
  const [, list] = /^(.+)\[\d*\]$/.exec(path.at(-1) ?? "") ?? []; // other services write channels[]=email
  const parameter = parameters.find(({ name, schema }) => name === list && schema.types.includes("array"));
  if (place !== "query" || !parameter) return suggest(path.at(-1), names);
  const values = parameter.schema.items?.flat.enum ?? ["…", "…"];
  return `; ${repeat(parameter.name, values.slice(0, 2).map(String))}`;
}

function repeat(name: string, values: readonly string[]): string {
  return `repeat the parameter: ${values.map((value) => `${name}=${value}`).join("&")}`;
}

/** `. Did you mean email?`, or all names that are allowed there. */
function suggest(name = "", names: readonly string[]): string {
  if (names.length === 0) return "";
  const sorted = names.toSorted();
  const nearest = findNearestName(name, sorted);
  return nearest ? `. Did you mean ${nearest}?` : `; expected one of ${sorted.join(", ")}`;
}

type Named = Pick<Operation, "id" | "method" | "path">;

/** What clients of the live service look for first, and where it is in this contract. */
const NEIGHBORS: readonly (readonly [path: RegExp, hint: string])[] = [
  [
    /^\/(v\d+\/)?inbox\b/,
    "This contract has no Inbox: GET /v1/notifications lists what was triggered, without a read state.",
  ],
  [
    /^\/(v\d+\/)?events\b/,
    "This server triggers nothing: add notifications with `addNotifications` of the control plane or the fetch " +
      "handler.",
  ],
];

/** Creates the error of an unknown path. `contractPath` is where the client finds the contract. */
export function createPathError(
  { method, path }: Pick<Exchange, "method" | "path">,
  { operations }: { operations: readonly Named[] },
  contractPath = "/openapi.yaml",
): RequestError {
  const hint = operations.some((operation) => isWithSlash(operation.path, path))
    ? "A slash within a name must be encoded as %2F."
    : (NEIGHBORS.find(([pattern]) => pattern.test(path))?.[1] ??
      formatSuggestion(findNearest(operations, method, path), path) ??
      `${contractPath} lists the paths there are.`);
  return new RequestError("pathNotFound", `There is no resource at this path. ${hint}`);
}

/** What clients of the live service do at a path by another method, and what to do here. */
const METHOD_HINTS: Readonly<Record<string, string>> = {
  "GET updatePreferences": ' To read preferences, send an update with {"channels":{}}.',
  "PUT updatePreferences": " To update preferences, send the channels to change as PATCH.",
  "POST updatePreferences": " To update preferences, send the channels to change as PATCH.",
  "POST listNotifications": " To add notifications, use `addNotifications` of the control plane or the fetch handler.",
};

/** Creates the error of a method that the path of these operations lacks (D-51). */
function createMethodError(method: string, siblings: readonly Named[], otherMethods: readonly string[]): RequestError {
  const allow = formatAllow(siblings, otherMethods);
  const hints = siblings.map(({ id }) => METHOD_HINTS[`${method} ${id}`] ?? "");
  const message = `${method} is not allowed at this path. Allowed methods: ${allow}.${hints.join("")}`;
  return new RequestError("methodNotAllowed", message, { headers: { Allow: allow } });
}

/** The value of `Allow`: the methods of a path. */
export function formatAllow(siblings: readonly Named[], otherMethods: readonly string[] = ["OPTIONS"]): string {
  return [...new Set([...allowedMethods(siblings), ...otherMethods])].join(", ");
}

/** True if a parameter would match with a slash in it, which only an encoded one can have. */
function isWithSlash(template: string, path: string): boolean {
  const [first = "", ...literals] = template.split(/{[^}]*}/);
  const last = literals.at(-1);
  return (
    last !== undefined && path.startsWith(first) && path.endsWith(last) && path.length > first.length + last.length
  );
}

const MAX_PATH_LENGTH = 500; // the comparison takes quadratic time

/** Repeats nothing of the request, which may hold a key. */
function formatSuggestion(nearest: Named | undefined, path: string): string | undefined {
  return (
    nearest &&
    `Did you mean ${nearest.method.toUpperCase()} ${nearest.path}?${path.endsWith("/") ? " Drop the slash at the end." : ""}`
  );
}

/** True if the parts of a path differ little from a template. Any text fits a parameter. */
function isNear(sent: readonly string[], template: readonly string[]): boolean {
  const names = template.map((part, index) => (part.startsWith("{") ? (sent[index] ?? part) : part));
  return findNearestName(sent.join("/"), [names.join("/")]) !== undefined;
}

/** Finds the operation with the nearest path. */
export function findNearest<R extends Named>(operations: readonly R[], method: string, path: string): R | undefined {
  if (path.length > MAX_PATH_LENGTH) return undefined;
  const parts = path.split("/").filter((part) => part !== "");
  const near = operations.filter((operation) => {
    const template = operation.path.split("/").filter((part) => part !== "");
    const extra = parts.length - template.length; // a prefix such as /api may be superfluous, and the version missing
    if (extra < -1) return false;
    const whole = extra < 0 ? [...template.slice(0, -extra), ...parts] : parts.slice(extra);
    const hasNoEnd = extra < 0 && parts.length > 1; // such as /v2/subscribers/x
    return isNear(whole, template) || (hasNoEnd && isNear([...parts, ...template.slice(extra)], template));
  });
  return near.find((operation) => operation.method === method.toLowerCase()) ?? near[0];
}
