// Checks the key, the query and the depth of the body, validates by schema, and lists every violation in a 422 (D-49).
import type { Contract } from "../../contract/contract.js";
import { type ParameterObject, valueAt } from "../../contract/openapi-document.js";
import type { KeyPlace, Operation } from "../../contract/operations.js";
import { type ErrorEntry, RequestError } from "./errors.js";
import type { Exchange, RequestInput } from "./exchange.js";
import { LIMITS } from "./limits.js";

/**
 * Reads the API key of a request (document §5).
 * @throws RequestError
 */
export function readApiKey(header: string | null | undefined): string {
  if (!header) throw unauthorized("Missing authorization header");
  const blank = header.indexOf(" ");
  const scheme = blank === -1 ? header : header.slice(0, blank);
  if (scheme !== "ApiKey") throw unauthorized("Invalid authentication scheme");
  const key = blank === -1 ? "" : header.slice(blank + 1).trim();
  if (key === "") throw unauthorized("Missing API key");
  return key;
}

/** Finds the key at another place that a contract declares: in a header, in the query, or as a bearer token. */
export function findKey(
  places: readonly KeyPlace[],
  { headers, target }: Pick<Exchange, "headers" | "target">,
): string | undefined {
  const bearer = /^Bearer +(.+)$/.exec(headers.authorization?.toString() ?? "")?.[1];
  const keys = places.map(({ in: where, name }) => {
    if (where === "bearer") return bearer;
    if (where === "query") return new URLSearchParams(target.replace(/^[^?]*/, "")).get(name);
    const isOurs = name.toLowerCase() === "authorization"; // readApiKey reads it
    return isOurs ? undefined : headers[name.toLowerCase()]?.toString();
  });
  return keys.find((key) => key) ?? undefined;
}

/** Never repeats the header: it may be a key (D-45). */
export function unauthorized(what: string, hint = ""): RequestError {
  const headers = { "WWW-Authenticate": "ApiKey" };
  return new RequestError("unauthorized", `${what}. Send "Authorization: ApiKey <key>".${hint}`, { headers });
}

// Express's query parsers support neither literal plus signs nor empty values, and the simple one breaks
// `tags[]=a&tags[]=b` (cdimascio/express-openapi-validator#1196).

/** A query string, read according to the contract's parameters. */
export interface Query {
  /** The values as text. Lists and repeated parameters are arrays (D-26). */
  values: Record<string, string | string[]>;
  /** Names that the contract lacks. */
  unknown: string[];
}

/** Creates the function that reads the query of a target. It rejects an invalid percent-encoding (D-50). */
export function createReadQuery({ parameters, keyNames = [] }: Pick<Operation, "parameters" | "keyNames">) {
  const ofQuery = parameters.filter((parameter) => parameter.in === "query");
  const declarations = new Map([...ofQuery.flatMap(toMembers), ...ofQuery].map((p) => [p.name, p]));
  const deepObjects = ofQuery.filter(({ style }) => style === "deepObject"); // unsupported: not checked
  const isUnchecked = (name: string) =>
    keyNames.includes(name) || deepObjects.some((parameter) => name.startsWith(`${parameter.name}[`));
  return (target: string): Query => {
    try {
      const { values, unknown } = toQuery(target.replace(/^[^?]*\??/, ""), declarations);
      return { values, unknown: unknown.filter((name) => !isUnchecked(name)) };
    } catch (error) {
      if (!(error instanceof URIError)) throw error;
      const message = "The query has an invalid percent-encoding. Encode it with encodeURIComponent.";
      throw new RequestError("undecodableQuery", message);
    }
  };
}

function toQuery(text: string, declarations: ReadonlyMap<string, ParameterObject>): Query {
  const values: Query["values"] = {};
  const unknown = new Set<string>();
  for (const pair of text.split("&")) {
    if (pair === "") continue;
    const end = pair.indexOf("=");
    const name = decode(end === -1 ? pair : pair.slice(0, end), " ");
    const parameter = declarations.get(name);
    const value = decode(end === -1 ? "" : pair.slice(end + 1), parameter?.["x-literal-plus"] ? "+" : " "); // D-67
    if (!parameter) unknown.add(name);
    else if (value !== "" || !parameter.allowEmptyValue) add(values, parameter, value); // D-27
  }
  return { values, unknown: [...unknown] };
}

function add(values: Query["values"], { name, schema, explode = true }: ParameterObject, value: string): void {
  const before = values[name];
  if (Array.isArray(before)) before.push(value);
  else if (typeof before === "string") values[name] = [before, value];
  else values[name] = schema.type === "array" && explode ? [value] : value;
}

/** Splits an object in the query into a parameter for each member, as its style demands. */
function toMembers({ schema, style = "form", explode = true, ...parameter }: ParameterObject): ParameterObject[] {
  if (schema.type !== "object" || style !== "form" || !explode || parameter.content) return [];
  const members = Object.entries(schema.properties ?? {});
  return members.map(([name, member]) => ({ ...parameter, name, schema: member }));
}

function decode(text: string, plus: string): string {
  return decodeURIComponent(text.replaceAll("+", plus));
}

/** The result of a validator: its errors, and the coerced values with defaults. */
export interface Validation {
  errors: SchemaError[];
  input: RequestInput;
}

/** The values of a request by place. A validator may change them. */
export interface SentValues extends RequestInput {
  query: Query["values"];
  header: Record<string, unknown>;
}

/** Checks the values of a request against their schemas. Each shell has its own validator. */
export type Validate<Kind extends CheckedExchange> = (
  operation: Operation,
  sent: SentValues,
  exchange: Kind,
) => Validation | Promise<Validation>;

type CheckedExchange = Pick<Exchange, "target" | "headers" | "input">;

type CheckedContract = Pick<Contract, "findCitation">;

/** Creates the step that puts the valid input into the exchange, or rejects the request with every violation. */
export function createValidateRequest<Kind extends CheckedExchange>(
  contract: CheckedContract,
  operation: Operation,
  validate: Validate<Kind>,
) {
  const readQuery = createReadQuery(operation);
  return function validateRequest(exchange: Kind): undefined | Promise<undefined> {
    const { target, headers: header } = exchange;
    const { path, body } = exchange.input;
    assertBodyDepth(contract, operation, body);
    const query = readQuery(target);
    const coercions = findCoercions(query, operation); // first, since validators coerce the values in place
    const sent = { query: query.values, header: { ...header }, path: { ...path }, body };
    const validation = validate(operation, sent, exchange);
    return validation instanceof Promise ? validation.then(finish) : finish(validation);

    function finish({ errors, input }: Validation): undefined {
      const original = errors.length > 0 ? { query: readQuery(target).values, header, path, body } : {};
      const violations = [...toRequestViolations(errors, original), ...coercions];
      // Validators treat an absent body as an empty object, and skip one that is not JSON.
      const isMissing = body === undefined && operation.object.requestBody?.required === true;
      if (isMissing && errors.length === 0)
        violations.push({ path: ["body"], message: `is required${NO_BODY}`, keyword: "required" });
      if (violations.length > 0) throw toInvalidRequest(violations, contract, operation);
      exchange.input = input;
    }
  };
}

/** Rejects a body whose nesting would overflow the stack. Nothing in the contract is that deep. */
function assertBodyDepth(contract: CheckedContract, operation: Operation, body: unknown): void {
  if (!isDeeper(body, LIMITS.bodyDepth)) return;
  const finding = { path: ["body"], message: `must not be nested deeper than ${LIMITS.bodyDepth} levels` };
  throw toInvalidRequest([finding], contract, operation);
}

/** Recurses no deeper than `levels`. */
function isDeeper(value: unknown, levels: number): boolean {
  if (levels < 0) return true;
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some((member) => isDeeper(member, levels - 1));
}

/** An error of Ajv. */
export interface SchemaError {
  /** The location as parts: `["body", "channels", "email"]`. */
  path: string[];
  /** The violated keyword of the schema. */
  keyword: string;
  message: string;
}

/** How a request violates the contract. */
interface RequestViolation extends Omit<SchemaError, "keyword"> {
  value?: unknown;
  keyword?: string;
}

const UNKNOWN_NAME = "is unknown";

/** Rewords Ajv's errors. `values` are the values as sent. */
function toRequestViolations(errors: readonly SchemaError[], values: Record<string, unknown>): RequestViolation[] {
  // A pattern beside a format repeats the error, less readably.
  const formats = new Set(errors.flatMap(({ keyword, path }) => (keyword === "format" ? toLocation(path) : [])));
  return errors
    .filter(({ keyword, path }) => keyword !== "pattern" || !formats.has(toLocation(path)))
    .map(({ path, keyword, message }) => ({
      path,
      message: `${MESSAGES[keyword] ?? message}${remedyFor({ path, keyword, message, value: valueAt(values, path) })}`,
      value: valueAt(values, path),
      keyword: valueAt(values, path) === "" && path[0] === "query" ? "allowEmptyValue" : keyword, // D-27
    }));
}

const MESSAGES: Readonly<Record<string, string>> = { required: "is required", additionalProperties: UNKNOWN_NAME };

const NO_BODY = ": send JSON";

/** Says what to send, where the violated keyword does not. */
function remedyFor({ path, keyword, message, value }: RequestViolation & SchemaError): string {
  const [place, name = ""] = path;
  if (keyword === "required" && place === "body" && name === "") return NO_BODY;
  if (keyword === "format" && message.includes("date-time")) return ", such as 2026-11-02T09:00:00Z";
  if (place !== "query") return "";
  const items = typeof value === "string" ? value.split(",") : [];
  if (keyword === "enum" && items.length > 1) return `; ${repeat(name, items)}`;
  return keyword === "pattern" && name === "templates" ? "; it is the _id of a workflow, not its identifier" : "";
}

function repeat(name: string, values: readonly string[]): string {
  return `repeat the parameter: ${values.map((value) => `${name}=${value}`).join("&")}`;
}

// A body of 100 kB can have ten thousand violations (D-49).
const MAX_ENTRIES = 100;
const MAX_IN_MESSAGE = 10;

/**
 * Finds violations that EOV accepts: unknown names (D-28), and texts other than decimal digits that Ajv coerces to an
 * integer (D-29), such as `1e1`, ` 5` and `Infinity`.
 */
function findCoercions({ values, unknown }: Query, { parameters }: Operation): RequestViolation[] {
  const violations: RequestViolation[] = unknown.map((name) => ({
    path: ["query", name],
    message: toUnknown(name, parameters),
  }));
  for (const { name, schema } of parameters) {
    const value = values[name];
    if (schema.type !== "integer" || !isCoerced(value)) continue;
    violations.push({ path: ["query", name], message: "must be integer", value, keyword: "type" });
  }
  return violations;
}

/** Other services write lists as `channels[]=email` or `channels[0]=email`. */
function toUnknown(name: string, parameters: Operation["parameters"]): string {
  const [, list] = /^(.+)\[\d*\]$/.exec(name) ?? [];
  const parameter = parameters.find((candidate) => candidate.name === list && candidate.schema.type === "array");
  return parameter ? `${UNKNOWN_NAME}; ${repeat(parameter.name, ["…", "…"])}` : UNKNOWN_NAME;
}

function isCoerced(value: Query["values"][string] | undefined): boolean {
  if (typeof value !== "string" || value === "") return false;
  if (/^-?\d+$/.test(value)) return !Number.isFinite(Number(value)); // Ajv compares bounds with finite numbers only
  return !(Number(value) % 1) && !Number.isNaN(Number(value));
}

function toInvalidRequest(
  violations: RequestViolation[],
  contract: CheckedContract,
  operation: Operation,
): RequestError {
  const entries = new Map<string, ErrorEntry>();
  for (const { path, message, value, keyword } of violations) {
    const location = toLocation(path);
    if (entries.size >= MAX_ENTRIES && !entries.has(location)) continue;
    const { citation, knownNames = [] } = contract.findCitation(operation, path, keyword);
    const first: ErrorEntry = { messages: [], ...(value === undefined ? {} : { value }), ...citation };
    const entry = entries.get(location) ?? first;
    entry.messages.push(knownNames.length > 0 ? `${message}; expected one of ${knownNames.join(", ")}` : message);
    entries.set(location, entry);
  }
  const list = [...entries].map(([location, { messages }]) => `${location} ${messages.join(" and ")}`);
  const rest = list.length > MAX_IN_MESSAGE ? ". See `errors` for the rest." : "";
  const message = `${list.slice(0, MAX_IN_MESSAGE).join(". ")}${rest}`;
  return new RequestError("invalidRequest", message, { violations: Object.fromEntries(entries) });
}

/** Joins a path, as in `body.channels.email`. A name with a dot is quoted, as in `query["limit.x"]`. */
export function toLocation([source = "", ...names]: string[]): string {
  return names.reduce((text, name) => text + (name.includes(".") ? `["${name}"]` : `.${name}`), source);
}
