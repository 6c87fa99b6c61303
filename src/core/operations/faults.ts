// Injected faults, by environment: the requests that each applies to, and its effect. They are kept in memory only.

import type { ResponseExample } from "../../contract/examples.js";
import type { Operation } from "../../contract/model.js";
import { ControlRejection } from "../control/control-rejection.js";
import type { ControlSchemas } from "../control/control-schemas.js";
import { isObject } from "../domain/options.js";
import { createRandom, type Random, randomHex } from "../domain/random.js";
import type { RejectedRequest } from "./errors.js";

type NewFault = ControlSchemas["NewFault"];

/** The environment that has the faults, as the key of a WeakMap. */
type FaultOwner = object;

/** A fault with all defaults. */
export type FaultRule = NewFault & Required<Pick<NewFault, "share" | "seed">>;

export interface Fault extends FaultRule {
  readonly id: string;
  /** The number of requests it was applied to. */
  hits: number;
}

/** The effect of a fault on one request. */
export type AppliedFault = Pick<Fault, "id" | "delayMs" | "status" | "example" | "disconnect">;

export type Faults = ReturnType<typeof createFaults>;

interface ActiveFault {
  fault: Fault;
  random: Random;
  /** The number of requests that matched, including those it skipped. */
  matches: number;
}

const FAULT_PRESETS: Readonly<Record<ControlSchemas["FaultPreset"], NewFault>> = {
  "second-page-fails": { operation: "listNotifications", status: 503, skip: 1, count: 1 },
  "slow-3g": { delayMs: 400, maxDelayMs: 2_000 },
  "flaky-10-percent": { status: 503, share: 0.1 },
  "rate-limited": { status: 429 },
};

export function toFaultRule(fault: NewFault): FaultRule {
  return { share: 1, seed: 1, ...(fault.preset && FAULT_PRESETS[fault.preset]), ...fault };
}

export function createFaults() {
  const byOwner = new WeakMap<FaultOwner, ActiveFault[]>();
  const activeOf = (owner: FaultOwner) => byOwner.get(owner) ?? [];
  let revision = 0;
  function set(owner: FaultOwner, active: ActiveFault[]): void {
    byOwner.set(owner, active);
    revision += 1;
  }
  return {
    /** Increases with each change and each hit. */
    get revision() {
      return revision;
    },
    of: (owner: FaultOwner): readonly Fault[] => activeOf(owner).map(({ fault }) => fault),
    add(owner: FaultOwner, rule: FaultRule): Fault {
      const fault = { id: randomHex(8), ...rule, hits: 0 };
      set(owner, [...activeOf(owner), { fault, random: createRandom(rule.seed), matches: 0 }]);
      return fault;
    },
    /** Returns false if there is no such fault. */
    remove(owner: FaultOwner, id: string): boolean {
      const before = activeOf(owner);
      const after = before.filter(({ fault }) => fault.id !== id);
      set(owner, after);
      return after.length < before.length;
    },
    clear: (owner: FaultOwner) => set(owner, []),
    /** Returns the effect of the first fault that fires, if any. The faults before it count the request as well. */
    apply(owner: FaultOwner, request: FaultTarget): AppliedFault | undefined {
      for (const active of activeOf(owner)) {
        const effect = applyTo(active, request);
        if (!effect) continue;
        revision += 1;
        return effect;
      }
      return undefined;
    },
  };
}

function applyTo(active: ActiveFault, request: FaultTarget): AppliedFault | undefined {
  const { fault, random } = active;
  const { skip = 0, count = Number.POSITIVE_INFINITY, delayMs, maxDelayMs } = fault;
  if (fault.hits >= count || !matches(fault, request)) return undefined;
  active.matches += 1;
  if (active.matches <= skip) return undefined;
  if (random.fraction() >= fault.share) return undefined;
  fault.hits += 1;
  return {
    ...fault,
    ...(maxDelayMs === undefined ? {} : { delayMs: random.between(delayMs ?? 0, maxDelayMs) }),
  };
}

/** The parts of a valid request that a fault can match. */
interface FaultTarget {
  operation: string;
  path?: unknown;
  query?: unknown;
  body?: unknown;
}

function matches({ operation, isUpdate, when = {} }: NewFault, request: FaultTarget): boolean {
  const path = membersOf(request.path);
  const query = membersOf(request.query);
  const body = membersOf(request.body);
  if (operation !== undefined && operation !== request.operation) return false;
  if (isUpdate && !isRealUpdate(request.body)) return false;
  return (
    isAmong(when.subscriberId, [path.subscriberId, query.subscriberIds]) &&
    isAmong(when.workflowId, [body.workflowId, query.templates])
  );
}

/** Clients send an update without channels to read the preferences (D-04). */
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

/** @throws ControlRejection for a fault without an effect, with two effects, or with a response that the contract lacks. */
export function assertPossible(
  rule: FaultRule,
  operations: readonly Operation[],
  toResponses: (operation: Operation) => readonly ResponseExample[],
): void {
  const { status, example, disconnect, delayMs, maxDelayMs, isUpdate } = rule;
  const invalid = (message: string, location: string) => new ControlRejection("invalid", message, location);
  const responds = status !== undefined || example !== undefined;
  if (rule.preset === "rate-limited" && status !== FAULT_PRESETS["rate-limited"].status)
    throw invalid("The preset rate-limited has status 429. For another one, omit the preset.", "body.status");
  if (responds && disconnect) throw invalid("Status and disconnect exclude each other: give one.", "body");
  if (!responds && !disconnect && delayMs === undefined && maxDelayMs === undefined)
    throw invalid("A fault needs an effect: delayMs, status, example or disconnect.", "body");
  if (maxDelayMs !== undefined && maxDelayMs < (delayMs ?? 0))
    throw invalid("It must not be less than delayMs.", "body.maxDelayMs");
  if (rule.operation !== undefined) assertOperation(rule.operation, operations, "body.operation");
  const fitting = operations.filter(({ id }) => id === (rule.operation ?? id));
  if (isUpdate && !fitting.some(({ body }) => body !== undefined))
    throw invalid(`It matches no request: ${rule.operation} has no body.`, "body.isUpdate");
  const examples = fitting.flatMap(toResponses);
  if (!responds || findExample(examples, { status, example })) return;
  const names = new Set(examples.map((item) => `${item.status} ${item.name}`));
  const wanted = [status !== undefined && `status ${status}`, example !== undefined && `example ${example}`].filter(
    Boolean,
  );
  const of = rule.operation === undefined ? "The contract" : rule.operation;
  const message = `${of} has no response with ${wanted.join(" and ")}. It has ${[...names].join(", ")}.`;
  throw invalid(message, `body.${status === undefined ? "example" : "status"}`);
}

/** @throws ControlRejection for a name that no operation has. */
export function assertOperation(name: string, operations: readonly Operation[], location: string): void {
  if (operations.some(({ id }) => id === name)) return;
  const names = operations.map(({ id }) => id).join(", ");
  throw new ControlRejection("invalid", `There is no operation ${name}; expected one of ${names}.`, location);
}

/** Returns the fault's response, if it has one: an example of the contract, with the time and path of this request in an error. */
export function toFaultResponse(
  examples: readonly ResponseExample[],
  fault: AppliedFault,
  { path, now }: RejectedRequest,
): ResponseExample | undefined {
  const example = findExample(examples, fault);
  if (!isObject(example?.body) || !("timestamp" in example.body && "path" in example.body)) return example;
  return { ...example, body: { ...example.body, timestamp: now.toISOString(), path } };
}

/** Finds the example that a fault names by status, by name, or by both. */
function findExample(
  examples: readonly ResponseExample[],
  { status, example }: { status?: number | undefined; example?: string | undefined },
): ResponseExample | undefined {
  if (status === undefined && example === undefined) return undefined;
  return examples.find((item) => item.status === (status ?? item.status) && item.name === (example ?? item.name));
}
