// Violations of the contract, with one sentence for each kind, whoever says it: server, proxy, verify or page.
import type { ErrorObject, ValidateFunction } from "ajv";
import { toList } from "./lists.js";
import { parsePointer } from "./pointer.js";

export interface Violation {
  /** Dotted: `query.limit`, `header.authorization`, `body.data.0._id`; or `status`, `path`, `method`, `connection`. */
  location: string;
  /** The parts of the location. */
  path?: readonly string[];
  /** A sentence about the location: `must be at most 50`. */
  message: string;
  code?: ViolationCode;
}

/** The same place in every item of a list: `body.data[].at`. */
export const placeOf = (location: string): string => location.replaceAll(/\.\d+(?=\.|$)/g, "[]");

/** The violated keyword of a schema, or a kind that the project adds. */
export type ViolationCode = keyof typeof MESSAGES;

/** The parameters of Ajv's errors and of the kinds that the project adds; each kind has some of them. */
interface Params {
  type: string | string[];
  allowedValues: unknown[];
  allowedValue: unknown;
  limit: number;
  multipleOf: number;
  pattern: string;
  format: string;
  i: number;
  j: number;
  minContains: number;
  maxContains?: number;
  property: string;
  propertyName: string;
  len: number;
  passingSchemas: unknown;
  status: number;
  operation: string;
  declared: string[];
  sent: string;
}

/** `1 item`, `2 items`. */
export const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? "" : "s"}`;
const listOf = (values: readonly unknown[]) => values.map((value) => textOf(value)).join(", ");
const textOf = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));

const TYPES: Readonly<Record<string, string>> = {
  integer: "an integer",
  number: "a number",
  string: "a string",
  boolean: "a boolean",
  array: "an array",
  object: "an object",
  null: "null",
};

const FORMATS: Readonly<Record<string, string>> = {
  "date-time": "a date and time such as 2026-11-02T09:00:00Z",
  date: "a date such as 2026-11-02",
  time: "a time such as 09:00:00Z",
  duration: "a duration such as PT15M",
  email: "an email address",
  uuid: "a UUID",
  uri: "a URI",
  hostname: "a host name",
  ipv4: "an IPv4 address",
  ipv6: "an IPv6 address",
  byte: "base64",
};

/** By code. Parameters are those of Ajv's errors. */
const MESSAGES = {
  type: ({ type }: Params) =>
    `must be ${toList(type)
      .map((name) => TYPES[name] ?? name)
      .join(" or ")}`,
  enum: ({ allowedValues }: Params) => `must be one of ${listOf(allowedValues)}`,
  const: ({ allowedValue }: Params) => `must be ${textOf(allowedValue)}`,
  minimum: ({ limit }: Params) => `must be at least ${limit}`,
  maximum: ({ limit }: Params) => `must be at most ${limit}`,
  exclusiveMinimum: ({ limit }: Params) => `must be greater than ${limit}`,
  exclusiveMaximum: ({ limit }: Params) => `must be less than ${limit}`,
  multipleOf: ({ multipleOf }: Params) => `must be a multiple of ${multipleOf}`,
  minLength: ({ limit }: Params) =>
    limit === 1 ? "must not be empty" : `must have at least ${plural(limit, "character")}`,
  maxLength: ({ limit }: Params) => `must have at most ${plural(limit, "character")}`,
  pattern: ({ pattern }: Params) => `must match the pattern ${pattern}`,
  format: ({ format }: Params) => `must be ${FORMATS[format] ?? `in the format ${format}`}`,
  minItems: ({ limit }: Params) => (limit === 1 ? "must not be empty" : `must have at least ${plural(limit, "item")}`),
  maxItems: ({ limit }: Params) => `must have at most ${plural(limit, "item")}`,
  uniqueItems: ({ i, j }: Params) => `must not have equal items: ${j} and ${i} are equal`,
  contains({ minContains, maxContains }: Params) {
    const least = maxContains === undefined ? "at least " : `${minContains} to `;
    return `must have ${least}${plural(maxContains ?? minContains, "item")} of the required kind`;
  },
  minProperties: ({ limit }: Params) => `must have at least ${plural(limit, "member")}`,
  maxProperties: ({ limit }: Params) => `must have at most ${plural(limit, "member")}`,
  required: () => "is required",
  dependentRequired: ({ property }: Params) => `is required beside ${property}`,
  additionalProperties: () => "is unknown",
  explode: () => "must occur once, with commas between its values",
  unevaluatedProperties: () => "is unknown",
  additionalItems: ({ limit }: Params) => `must have at most ${plural(limit, "item")}`,
  unevaluatedItems: ({ len }: Params) => `must have at most ${plural(len, "item")}`,
  propertyNames: ({ propertyName }: Params) => `must not have a member called ${propertyName}`,
  oneOf: ({ passingSchemas }: Params) =>
    passingSchemas ? "must match only one of the alternatives" : "must match one of the alternatives",
  anyOf: () => "must match one of the alternatives",
  not: () => "must not have this value",
  "false schema": () => "is not allowed",
  readOnly: () => "is read-only",
  writeOnly: () => "is write-only, and must not be sent in a response",
  bodyDepth: ({ limit }: Params) => `must not be nested deeper than ${limit} levels`,
  // Kinds that no schema decides.
  status: ({ status, operation }: Params) => `${status} is not declared for ${operation}`,
  mediaType: ({ declared, sent }: Params) => `must be ${declared.join(" or ")}, is ${sent}`,
  undeclaredHeader: () => "is not declared for this status",
  invalid: () => "is invalid",
} satisfies Record<string, (params: Params) => string>;

/** @param params those of Ajv's error, or of an added kind. */
export function createViolation(code: ViolationCode, path: readonly string[], params: object = {}): Violation {
  return { location: formatLocation(path), path, code, message: MESSAGES[code](params as Params) };
}

/** Joins a path, as in `body.channels.email`. A name with a dot is quoted, as in `query["limit.x"]`. */
function formatLocation([source = "", ...names]: readonly string[]): string {
  return names.reduce((text, name) => text + (name.includes(".") ? `["${name}"]` : `.${name}`), source);
}

/** The place that an error of Ajv is about: that of a missing or unknown member, not of the object around it. */
function pathOf({ instancePath, params, keyword }: Pick<ErrorObject, "instancePath" | "params" | "keyword">): string[] {
  const member: string | undefined =
    params.missingProperty ?? params.additionalProperty ?? params.unevaluatedProperty ?? undefined;
  const parts = parsePointer(instancePath);
  return member === undefined || keyword === "propertyNames" ? parts : [...parts, member];
}

/** Words an error of Ajv. @param root the place of the value. */
export function describeError(error: ErrorObject, root: readonly string[]): Violation {
  const code = Object.hasOwn(MESSAGES, error.keyword) ? (error.keyword as ViolationCode) : "invalid";
  return createViolation(code, [...root, ...pathOf(error)], error.params);
}

/**
 * Words errors of Ajv. What a failed `then` or `else` demands is said once: without the error of the `if` itself. A
 * name that is not allowed is said without the errors of the name.
 */
export function describeErrors(errors: readonly ErrorObject[], root: readonly string[] = []): Violation[] {
  const relevant = errors.filter(({ keyword, propertyName }) => keyword !== "if" && propertyName === undefined);
  const unions = relevant.filter(
    ({ keyword, params }) => keyword === "anyOf" || (keyword === "oneOf" && !params.passingSchemas),
  );
  return unions.reduce(mergeTypes, relevant).map((error) => describeError(error, root));
}

/**
 * Where no alternative matches, a value cannot have the types of all: what an alternative of its type lacks says more.
 * If there is none, one error has all types.
 */
function mergeTypes(errors: readonly ErrorObject[], union: ErrorObject): ErrorObject[] {
  const { instancePath } = union;
  const isOfType = (error: ErrorObject) => error.keyword === "type" && error.instancePath === instancePath;
  const types = errors.filter(isOfType);
  const untyped = errors.filter((error) => !isOfType(error));
  const [first] = types;
  const isDeeper = untyped.some((error) => error !== union && `${error.instancePath}/`.startsWith(`${instancePath}/`));
  if (!first || isDeeper) return untyped;
  const type = [...new Set(types.flatMap(({ params }) => params.type))];
  return errors
    .filter((error) => error !== union && (error === first || !isOfType(error)))
    .map((error) => (error === first ? { ...error, params: { type } } : error));
}

/** Words the deepest error of Ajv, which is the nearest to the mistake: the others only follow from it. */
export function describeDeepest(errors: readonly ErrorObject[]): Violation {
  const depthOf = ({ instancePath }: ErrorObject) => instancePath.split("/").length;
  const [deepest] = errors.toSorted((one, other) => depthOf(other) - depthOf(one));
  return deepest ? describeError(deepest, []) : createViolation("invalid", []);
}

/** Lists the violations that a compiled validator finds in a value. `root` names the value in the locations. */
export function findViolations(validate: ValidateFunction, value: unknown, root: string): Violation[] {
  return validate(value) ? [] : describeErrors(validate.errors ?? [], root === "" ? [] : [root]);
}
