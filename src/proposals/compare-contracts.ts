// Compares the served contract with the implemented one: which operations are real, and what differs in those.
import type { Contract } from "../contract/contract.js";
import type { Operation, Parameter } from "../contract/model.js";
import { findResponse, mainMedia, successOf } from "../contract/operation.js";
import { isReadable } from "../contract/response-check.js";
import { isAbsentAsNull } from "../contract/sample/sample.js";
import type { Schema } from "../contract/schema.js";
import type { Direction } from "../contract/schema-node.js";
import { HANDLER_STATUSES } from "../core/request/errors.js";
import { type ImplementationStatus, nameOf } from "../core/request/handlers.js";
import { findObstacle, findParameter } from "./implementation.js";
import { nearestStatus } from "./response.js";
import { counterpartOf } from "./to-handled.js";

/** @param own the implemented contract, or the served one if that is it. */
export function compareContracts(served: Contract, own: Contract) {
  const pairs = new Map<Operation, Operation>();
  const reasons: string[] = [];
  for (const operation of served.operations) {
    const counterpart = counterpartOf(operation, own);
    const obstacle = counterpart && served !== own ? findObstacle(operation, counterpart) : undefined;
    if (obstacle) reasons.push(`${nameOf(operation)} ${obstacle}`);
    else if (counterpart) {
      pairs.set(operation, counterpart);
      reasons.push(...findOtherMedia(operation, counterpart));
    }
  }
  const isReal = (operation: Operation) => pairs.has(operation);
  const responses = [...pairs].map(([operation, counterpart]) => compareResponses(operation, counterpart));
  const errors: Differences = { added: [], removed: [], withoutEffect: [] };
  createComparison("response", errors)(served.errorBody, own.errorBody, "errors body");
  responses.push(errors);
  const status: ImplementationStatus = {
    implemented: [...pairs.keys()].map(nameOf),
    mocked: served.operations.filter((operation) => !isReal(operation)).map(nameOf),
    reasons,
    added: responses.flatMap(({ added }) => added),
    removed: responses.flatMap(({ removed }) => removed),
    withoutEffect: [...pairs].flatMap(([operation, counterpart]) => findIneffective(operation, counterpart)),
    errors: [...pairs].flatMap(([operation, counterpart]) => findReplacedErrors(operation, counterpart)),
    unchecked: [...served.unchecked, ...findUnreadable(served)].map(({ pointer, construct, reason }) => {
      const { path, lineOf } = served.file;
      return `${path}:${lineOf(pointer)} ${construct}: ${reason}`;
    }),
    cannotBeShown: [],
  };
  return { status, isReal };
}

/** Bodies of responses whose schema is not about their text, such as XML. */
function findUnreadable({ operations }: Contract) {
  const media = operations.flatMap(({ responses }) => responses.flatMap(({ content }) => content));
  const unreadable = media.filter((one) => !isReadable(one));
  const reason = "a body in the form of its schema is neither generated nor checked";
  return [...new Set(unreadable)].map(({ pointer, type }) => ({ pointer, construct: type, reason }));
}

/** Media types of a success that a client can prefer, which no handler makes. */
function findOtherMedia(operation: Operation, own: Operation): string[] {
  const [after, before] = [successOf(operation), successOf(own)];
  const made = [mainMedia(after)?.type, ...(before?.content ?? []).map(({ type }) => type)];
  const others = after?.content.filter(({ type }) => !made.includes(type)) ?? [];
  return others.map(({ type }) => `${nameOf(operation)} ${after?.status} body as ${type} has no handler`);
}

/** Statuses that the handler decides and the operation does not declare. */
function findReplacedErrors(operation: Operation, own: Operation): string[] {
  const missing = HANDLER_STATUSES.filter((status) => findResponse(own, status) && !findResponse(operation, status));
  return missing.map((status) => {
    const nearest = nearestStatus(operation, status);
    return `${nameOf(operation)} ${status}${nearest === undefined ? " is not declared" : ` becomes ${nearest}`}`;
  });
}

type Differences = Pick<ImplementationStatus, "added" | "removed" | "withoutEffect">;

function compareResponses(operation: Operation, own: Operation): Differences {
  const differences: Differences = { added: [], removed: [], withoutEffect: [] };
  const [after, before] = [successOf(operation), successOf(own)];
  const place = `${nameOf(operation)} ${after?.status}`;
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

function findIneffective(operation: Operation, own: Operation): string[] {
  const isKnown = ({ name, in: where }: Parameter) =>
    where === "path" || where === "cookie" || findParameter(own, { name, in: where }) !== undefined;
  const parameters = operation.parameters.filter((parameter) => !isKnown(parameter));
  const body: Differences = { added: [], removed: [], withoutEffect: [] };
  createComparison("request", body)(mainMedia(operation.body)?.schema, mainMedia(own.body)?.schema, "body");
  const places = [...parameters.map(({ name, in: where }) => `${where}.${name}`), ...body.withoutEffect];
  return [...new Set(places)].map((place) => `${nameOf(operation)} ${place}`);
}
