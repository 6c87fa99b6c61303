// Which requests a fault is meant for. Which of those it affects, by count and share, is in faults.ts.
import { isObject } from "../domain/options.js";
import type { ControlSchemas } from "./control-schemas.js";

type Narrowing = Pick<ControlSchemas["NewFault"], "operation" | "isUpdate" | "when">;

/** The parts of a valid request that a fault can match. */
export interface FaultTarget {
  operation: string;
  path?: unknown;
  query?: unknown;
  body?: unknown;
}

export function matches({ operation, isUpdate, when = {} }: Narrowing, request: FaultTarget): boolean {
  const path = membersOf(request.path);
  const query = membersOf(request.query);
  const body = membersOf(request.body);
  if (operation !== undefined && operation !== request.operation) return false;
  if (isUpdate && !isRealUpdate(request.body)) return false;
  return (
    isAmong(when.subscriberId, [path.subscriberId, query.subscriberIds]) &&
    isAmong(when.workflowId, [body.workflowId, query.templates]) &&
    (when.body === undefined || hasMembers(request.body, when.body))
  );
}

/** An update without channels changes nothing: clients send it to read (D-04). */
function isRealUpdate(body: unknown): boolean {
  if (!isObject(body)) return false;
  return !isObject(body.channels) || Object.keys(body.channels).length > 0;
}

function membersOf(part: unknown): Record<string, unknown> {
  return isObject(part) ? part : {};
}

function isAmong(wanted: string | undefined, sent: unknown[]): boolean {
  return wanted === undefined || sent.flat().includes(wanted);
}

function hasMembers(value: unknown, members: unknown): boolean {
  if (!isObject(members)) return JSON.stringify(value) === JSON.stringify(members);
  if (!isObject(value)) return false;
  return Object.entries(members).every(
    ([name, member]) => Object.hasOwn(value, name) && hasMembers(value[name], member),
  );
}
