// What of a proposal is implemented: its operations are compared with those that have handlers. An operation is real or
// mocked as a whole. Types are compared both ways: the handler has to take every request that the proposal allows, and
// the proposal has to have a place for what the handler responds with. Bounds, patterns and enumerations are the
// proposal's own affair: they decide about values, not about forms.
import type { Contract } from "../contract/contract.js";
import { listUnchecked } from "../contract/implemented.js";
import { hasJson } from "../contract/media-type.js";
import type { Operation, Parameter } from "../contract/model.js";
import { findResponse, formatOperation, mainMedia, successOf } from "../contract/operation.js";
import { readText } from "../contract/parameter-reader.js";
import { isAbsentAsNull } from "../contract/sample/sample.js";
import type { JsonType, Schema } from "../contract/schema.js";
import type { Direction } from "../contract/schema-node.js";
import { HANDLER_STATUSES } from "../core/request/errors.js";
import { handlerOf, type Implementation } from "../core/request/handlers.js";

/** Compares a proposal with the implemented contract. */
export function compareContracts(served: Contract, implemented: Contract) {
  const pairs = new Map<Operation, Operation>();
  const reasons: string[] = [];
  for (const operation of served.operations) {
    const counterpart = counterpartOf(operation, implemented);
    const obstacle = counterpart && findObstacle(operation, counterpart);
    if (obstacle) reasons.push(`${formatOperation(operation)} ${obstacle}`);
    else if (counterpart) {
      pairs.set(operation, counterpart);
      reasons.push(...findOtherMedia(operation, counterpart));
    }
  }
  const isReal = (operation: Operation) => pairs.has(operation);
  const responses = [...pairs].map(([operation, counterpart]) => compareResponses(operation, counterpart));
  const errors: Differences = { added: [], removed: [], withoutEffect: [] };
  createComparison("response", errors)(served.errorBody, implemented.errorBody, "errors body");
  responses.push(errors);
  const implementation: Implementation = {
    implemented: [...pairs.keys()].map(formatOperation),
    mocked: served.operations.filter((operation) => !isReal(operation)).map(formatOperation),
    reasons,
    added: responses.flatMap(({ added }) => added),
    removed: responses.flatMap(({ removed }) => removed),
    withoutEffect: [...pairs].flatMap(([operation, counterpart]) => findIneffective(operation, counterpart)),
    errors: [...pairs].flatMap(([operation, counterpart]) => findReplacedErrors(operation, counterpart)),
    unchecked: listUnchecked(served),
    cannotBeShown: [],
  };
  return { implementation, isReal };
}

/** Media types of a success that a client can prefer, which no handler makes. */
function findOtherMedia(operation: Operation, handled: Operation): string[] {
  const [after, before] = [successOf(operation), successOf(handled)];
  const made = [mainMedia(after)?.type, ...(before?.content ?? []).map(({ type }) => type)];
  const unhandled = after?.content.filter(({ type }) => !made.includes(type)) ?? [];
  return unhandled.map(({ type }) => `${formatOperation(operation)} ${after?.status} body as ${type} has no handler`);
}

/** Statuses that the handler decides and the operation does not declare. */
function findReplacedErrors(operation: Operation, handled: Operation): string[] {
  const missing = HANDLER_STATUSES.filter(
    (status) => findResponse(handled, status) && !findResponse(operation, status),
  );
  return missing.map((status) => {
    const nearest = nearestStatus(operation, status);
    return `${formatOperation(operation)} ${status}${nearest === undefined ? " is not declared" : ` becomes ${nearest}`}`;
  });
}

type Differences = Pick<Implementation, "added" | "removed" | "withoutEffect">;

function compareResponses(operation: Operation, handled: Operation): Differences {
  const differences: Differences = { added: [], removed: [], withoutEffect: [] };
  const [after, before] = [successOf(operation), successOf(handled)];
  const place = `${formatOperation(operation)} ${after?.status}`;
  createComparison("response", differences)(mainMedia(after)?.schema, mainMedia(before)?.schema, `${place} body`);
  const [declared, known] = [after, before].map(
    (response) => new Map(response?.headers.map((header) => [header.name.toLowerCase(), header])),
  );
  for (const [name, header] of declared ?? [])
    if (header.isRequired && !known?.get(name)?.isRequired) differences.added.push(`${place} header.${name}`);
  for (const name of known?.keys() ?? []) if (!declared?.has(name)) differences.removed.push(`${place} header.${name}`);
  return differences;
}

/** Creates the function that compares a schema of the served contract with that of the implemented one. */
function createComparison(direction: Direction, { added, removed, withoutEffect }: Differences) {
  const compared = new Set<object>();
  return function compare(after: Schema | undefined, before: Schema | undefined, place: string): void {
    if (!after || compared.has(after.flat)) return; // it contains itself
    compared.add(after.flat);
    const known = before?.members ?? new Map<string, Schema>();
    const isHidden = (name: string) => after.member(name)?.isHiddenIn(direction) === true;
    for (const name of after.required)
      if (!isHidden(name) && !before?.required.includes(name) && !isAbsentAsNull(after, before, name))
        added.push(`${place}.${name}`);
    for (const name of known.keys())
      if (isHidden(name) || after.member(name) === undefined) removed.push(`${place}.${name}`);
    for (const [name, member] of after.members) {
      if (member.isHiddenIn(direction)) continue;
      if (known.has(name)) compare(member, known.get(name), `${place}.${name}`);
      else withoutEffect.push(`${place}.${name}`);
    }
    for (const alternative of after.alternatives)
      for (const name of alternative.members.keys())
        if (!after.members.has(name) && !known.has(name)) withoutEffect.push(`${place}.${name}`);
    if (after.flat.items && before?.flat.items) compare(after.items, before.items, `${place}[]`);
    compared.delete(after.flat);
  };
}

function findIneffective(operation: Operation, handled: Operation): string[] {
  const isKnown = ({ name, in: where }: Parameter) =>
    where === "path" || where === "cookie" || findParameter(handled, { name, in: where }) !== undefined;
  const parameters = operation.parameters.filter((parameter) => !isKnown(parameter));
  const body: Differences = { added: [], removed: [], withoutEffect: [] };
  createComparison("request", body)(mainMedia(operation.body)?.schema, mainMedia(handled.body)?.schema, "body");
  const places = [...parameters.map(({ name, in: where }) => `${where}.${name}`), ...body.withoutEffect];
  return [...new Set(places)].map((place) => `${formatOperation(operation)} ${place}`);
}

/** Why the handler cannot serve an operation, with the member that decides; undefined if it can. */
function findObstacle(served: Operation, handled: Operation): string | undefined {
  return findRequestObstacle(served, handled) ?? findResponseObstacle(served, handled);
}

function findRequestObstacle(served: Operation, handled: Operation): string | undefined {
  const isAdded = (parameter: Parameter) => !/^(path|cookie)$/.test(parameter.in) && !findParameter(handled, parameter);
  const added = served.parameters.find((parameter) => parameter.isRequired && isAdded(parameter));
  if (added && served.method !== "get") return `${added.in}.${added.name} is required`;
  for (const parameter of handled.parameters) {
    const counterpart = findParameter(served, parameter);
    const obstacle =
      counterpart &&
      (textObstacle(counterpart.schema, parameter.schema) ?? startObstacle(counterpart.schema, parameter.schema));
    if (obstacle) return `${parameter.in}.${parameter.name} ${obstacle}`;
  }
  if (!handled.body) return undefined;
  const [after, before] = [mainMedia(served.body), mainMedia(handled.body)];
  if (!after?.schema || !before?.schema || !after.isJson) return "body is not the handler's";
  if (handled.body.isRequired && !served.body?.isRequired) return "body may be missing";
  return bodyObstacle(after.schema, before.schema, "body");
}

/** Finds a parameter by its place and name; names of headers ignore case. */
export function findParameter(
  { parameters }: Operation,
  { in: where, name }: Pick<Parameter, "in" | "name">,
): Parameter | undefined {
  const toKey = (text: string) => (where === "header" ? text.toLowerCase() : text);
  return parameters.find((parameter) => parameter.in === where && toKey(parameter.name) === toKey(name));
}

/** Texts are converted where each of them can be: `enum: ["1", "20"]` for a number. */
function textObstacle(after: Schema, before: Schema): string | undefined {
  const { enum: values = [], default: usual } = after.flat;
  const texts = [...values, ...(usual === undefined ? [] : [usual])].filter((value) => typeof value === "string");
  const typeOf = (value: unknown) => (typeof value === "number" ? "integer" : typeof value) as JsonType;
  const isConvertible =
    values.length > 0 && texts.every((text) => before.types.includes(typeOf(readText(before, text))));
  return isConvertible ? undefined : typeObstacle(after, before);
}

/** Pages that are counted from 1 are others than those counted from 0. */
function startObstacle(after: Schema, before: Schema): string | undefined {
  const { default: start, minimum } = before.flat;
  const isCount = start !== undefined && start === minimum;
  const { minimum: first = minimum } = after.flat;
  return isCount && first !== minimum ? `starts at ${first}, where the handler starts at ${minimum}` : undefined;
}

/** What the handler may get that it cannot take, or lack although it needs it. */
function bodyObstacle(after: Schema, before: Schema, place: string): string | undefined {
  const obstacle = typeObstacle(after, before);
  if (obstacle) return `${place} ${obstacle}`;
  for (const name of after.required)
    if (!before.members.has(name) && !after.member(name)?.isHiddenIn("request")) return `${place}.${name} is required`;
  for (const [name, known] of before.members) {
    const member = after.members.get(name);
    if (!member) return `${place}.${name} is missing`;
    if (member.isHiddenIn("request")) return `${place}.${name} is read-only`;
    if (before.required.includes(name) && !after.required.includes(name)) return `${place}.${name} may be missing`;
    const inner = bodyObstacle(member, known, `${place}.${name}`);
    if (inner) return inner;
  }
  return undefined;
}

/** In words, such as `may be an object`. */
function typeObstacle(after: Schema, before: Schema): string | undefined {
  const other = after.types.find((type) => !isWithin(type, before.types));
  if (other !== undefined) return `may be of type ${other}`;
  const { format } = before.flat;
  if (format !== undefined && after.flat.format !== format)
    return `is ${after.flat.format ?? "any text"}, where the handler takes ${format}`;
  return before.types.includes("array") && before.flat.items ? typeObstacle(after.items, before.items) : undefined;
}

function isWithin(type: JsonType, types: readonly JsonType[]): boolean {
  return types.includes(type) || (type === "integer" && types.includes("number"));
}

function findResponseObstacle(served: Operation, handled: Operation): string | undefined {
  const [after, before] = [successOf(served), successOf(handled)];
  const [media, oldMedia] = [mainMedia(after), mainMedia(before)];
  const place = `${after?.status ?? 200} body`;
  if (!media) return undefined; // a success without a body
  if (!hasJson(media.type)) return `${place} is ${media.type}`;
  if (!media.schema || !oldMedia?.schema) return undefined;
  return envelopeObstacle(media.schema, oldMedia.schema, place) ?? shapeObstacle(media.schema, oldMedia.schema, place);
}

/** An envelope's lists and objects are what a response is about: where one is renamed, the handler's has no place. */
function envelopeObstacle(after: Schema, before: Schema, place: string): string | undefined {
  const alternatives = after.alternatives.length > 0 ? after.alternatives : [after];
  for (const [name, member] of before.members) {
    const isPart = member.types.includes("object") || member.types.includes("array");
    const isLacking = (schema: Schema) => schema.members.get(name)?.isHiddenIn("response") ?? true;
    if (isPart && alternatives.every(isLacking)) return `${place} lacks ${name}`;
  }
  return undefined;
}

/** A member that the handler gives in another type than the proposal has. */
function shapeObstacle(
  after: Schema,
  before: Schema,
  place: string,
  around: readonly Schema[] = [],
): string | undefined {
  if (around.includes(before)) return undefined; // it contains itself
  if (
    !before.types.some((type) => isWithin(type, after.types) || (type === "number" && after.types.includes("integer")))
  )
    return `${place} must be of type ${after.types.join(" or ")}`;
  if (after.alternatives.length > 0) return undefined; // the values of the state decide
  const inner = [...around, before];
  const isShared = [...before.members.keys()].some((name) => after.members.has(name));
  if (!isShared && before.members.size > 0 && after.required.length > 0)
    return `${place} has none of the handler's members`;
  for (const [name, member] of before.members) {
    const counterpart = after.members.get(name);
    const obstacle = counterpart && shapeObstacle(counterpart, member, `${place}.${name}`, inner);
    if (obstacle) return obstacle;
  }
  return before.flat.items && after.flat.items
    ? shapeObstacle(after.items, before.items, `${place}[]`, inner)
    : undefined;
}

/** The operation that a handler was written for; undefined if there is none, or no build has recorded it yet. */
export function counterpartOf(operation: Operation, { operations }: Contract): Operation | undefined {
  const implementation = handlerOf(operation);
  return operations.find((candidate) => implementation && handlerOf(candidate) === implementation);
}

/** What HTTP, authentication and validation decide says something else. */
const OTHERS = new Set([401, 405, 406, 408, 411, 412, 413, 414, 415, 417, 422, 426, 428, 429, 431]);

/** The nearest declared status of the class, first of those that no handler has; undefined if there is none. */
export function nearestStatus({ responses }: Operation, status: number): number | undefined {
  const ofClass = responses
    .map((response) => response.status)
    .filter((declared) => Math.floor(declared / 100) === Math.floor(status / 100) && !OTHERS.has(declared));
  const distanceOf = (declared: number) =>
    Math.abs(declared - status) + (HANDLER_STATUSES.includes(declared) ? 100 : 0);
  return ofClass.toSorted((one, other) => distanceOf(one) - distanceOf(other))[0];
}
