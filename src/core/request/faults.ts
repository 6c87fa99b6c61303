// Injected faults, by environment: the requests that each applies to, and its effect. They are kept in memory only.

import { isObject } from "../../contract/json.js";
import type { Operation } from "../../contract/model.js";
import type { ResponseExample } from "../../contract/operation.js";
import { createRandom, type Random, randomHex } from "../domain/random.js";
import { DISCONNECT, type Exchange, isFromConsole, isReading, type Outcome, type RequestInput } from "./exchange.js";
import { asResponseTo, type Examples } from "./prefer.js";

/** The requests that a fault applies to, and its effect. The control plane's contract describes each member. */
export interface FaultRule {
  operation?: string;
  isUpdate?: boolean;
  when?: { subscriberId?: string; workflowId?: string };
  share: number;
  seed: number;
  skip?: number;
  count?: number;
  delayMs?: number;
  maxDelayMs?: number;
  status?: number;
  example?: string;
  disconnect?: boolean;
}

export type Fault<Rule extends FaultRule = FaultRule> = Rule & {
  readonly id: string;
  /** The number of requests it was applied to. */
  hits: number;
  paused: boolean;
};

export interface FaultChange {
  paused?: boolean;
  /** From 1, in the order in which faults are matched. */
  position?: number;
}

/** The environment that has the faults, as the key of a WeakMap. */
type FaultOwner = object;

type AppliedFault = Pick<Fault, "id" | "delayMs" | "status" | "example" | "disconnect"> & { rule: FaultRule };

export type Faults<Rule extends FaultRule> = ReturnType<typeof createFaults<Rule>>;

interface ActiveFault<Rule extends FaultRule = FaultRule> {
  fault: Fault<Rule>;
  rule: Rule;
  random: Random;
  /** The number of requests that matched, including those it skipped. */
  matches: number;
}

export function createFaults<Rule extends FaultRule>() {
  const byOwner = new WeakMap<FaultOwner, ActiveFault<Rule>[]>();
  const activeOf = (owner: FaultOwner) => byOwner.get(owner) ?? [];
  let revision = 0;
  function set(owner: FaultOwner, active: ActiveFault<Rule>[]): void {
    byOwner.set(owner, active);
    revision += 1;
  }
  return {
    /** Increases with each change and each hit. */
    get revision() {
      return revision;
    },
    of: (owner: FaultOwner): readonly Fault<Rule>[] => activeOf(owner).map(({ fault }) => fault),
    add(owner: FaultOwner, rule: Rule): Fault<Rule> {
      const fault = { id: randomHex(8), ...rule, hits: 0, paused: false };
      set(owner, [...activeOf(owner), { fault, rule, random: createRandom(rule.seed), matches: 0 }]);
      return fault;
    },
    /** Keeps the fault and what it has counted. Returns undefined if there is no such fault. */
    update(owner: FaultOwner, id: string, { paused, position }: FaultChange): Fault<Rule> | undefined {
      const active = activeOf(owner).find(({ fault }) => fault.id === id);
      if (!active) return undefined;
      if (paused !== undefined) active.fault.paused = paused;
      const remaining = activeOf(owner).filter((other) => other !== active);
      const all = position === undefined ? activeOf(owner) : remaining.toSpliced(position - 1, 0, active);
      set(owner, all);
      return active.fault;
    },
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

/** Delays the response, or replaces it, if a fault of the environment fires. */
export async function injectFault(
  exchange: Exchange,
  operation: Operation,
  { faults, contract, responsesOf }: Examples & { faults?: Pick<Faults<FaultRule>, "apply"> | undefined },
): Promise<Outcome | undefined> {
  const { environment, input } = exchange;
  // Faults count a delayed request too, even if its client has disconnected.
  if (!faults || !environment || isFromConsole(exchange)) return undefined;
  const fault = faults.apply(environment, { ...input, operation: operation.id });
  if (!fault) return undefined;
  exchange.fault = fault;
  if (fault.delayMs !== undefined) await exchange.wait(fault.delayMs);
  if (fault.disconnect) return DISCONNECT;
  const example = findExample(responsesOf(operation), fault);
  return example && asResponseTo(exchange, example, contract);
}

function applyTo(active: ActiveFault, request: FaultTarget): AppliedFault | undefined {
  const { fault, rule, random } = active;
  const { skip = 0, count = Number.POSITIVE_INFINITY, delayMs, maxDelayMs } = fault;
  if (fault.paused || fault.hits >= count || !matches(fault, request)) return undefined;
  active.matches += 1;
  if (active.matches <= skip) return undefined;
  if (random.fraction() >= fault.share) return undefined;
  fault.hits += 1;
  return {
    ...fault,
    rule,
    ...(maxDelayMs === undefined ? {} : { delayMs: random.between(delayMs ?? 0, maxDelayMs) }),
  };
}

/** A valid request, by the id of its operation. */
type FaultTarget = Partial<RequestInput> & { operation: string };

function matches({ operation, isUpdate, when = {} }: FaultRule, request: FaultTarget): boolean {
  const { path = {}, query = {}, body } = request;
  if (operation !== undefined && operation !== request.operation) return false;
  if (isUpdate && !(isObject(body) && !isReading({ path, query, body }))) return false;
  return (
    isAmong(when.subscriberId, [path.subscriberId, query.subscriberIds]) &&
    isAmong(when.workflowId, [isObject(body) ? body.workflowId : undefined, query.templates])
  );
}

function isAmong(wanted: string | undefined, sent: unknown[]): boolean {
  return wanted === undefined || sent.flat().includes(wanted);
}

/** Finds the example that a fault names by status, by name, or by both. */
export function findExample(
  examples: readonly ResponseExample[],
  { status, example }: { status?: number | undefined; example?: string | undefined },
): ResponseExample | undefined {
  if (status === undefined && example === undefined) return undefined;
  return examples.find((item) => item.status === (status ?? item.status) && item.name === (example ?? item.name));
}
