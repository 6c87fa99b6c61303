// What cases work with: the contract, the target, and a way to ask it that holds every answer against the contract.
import type { Contract } from "../contract/contract.js";
import type { Operation, OperationId } from "../contract/operations.js";
import { checkEveryAnswer } from "./answer-laws.js";
import { type Ask, toWireRequest } from "./ask.js";
import { Mismatch } from "./check.js";
import { createKeeper } from "./keeper.js";
import { openNotificationList, type Snapshot } from "./notification-list.js";
import { createSeen, type Seen } from "./seen.js";
import type { Target } from "./target.js";
import { NoAnswerError, openWire, type Received, type WireRequest } from "./wire.js";

export interface Answer {
  status: number;
  headers: Received["headers"];
  /** Parsed; undefined when there is none. It has passed the contract. */
  body: unknown;
  text: string;
  request: WireRequest;
}

export interface World {
  contract: Contract;
  target: Target;
  /** What random cases start from. */
  random: { seed: number; runs: number; limitMs: number };
  operation(id: OperationId): Operation;
  /** @throws Mismatch when the answer breaks the contract. */
  send(ask: Ask): Promise<Answer>;
  /** All notifications, read once. */
  snapshot(): Promise<Snapshot>;
  /** What the answers so far have held. */
  seen: Seen;
  /** Puts back what was changed, and says what that was. */
  close(): Promise<string[]>;
}

export interface WorldOptions {
  contract: Contract;
  target: Target;
  random: World["random"];
  onExchange?: ((operation: Operation | undefined, answer: Answer) => void) | undefined;
}

const LONGEST_RETRY_S = 10;

/**
 * Opens the target. Here an environment of its own will be made where the target has a control plane; until then what
 * is changed is remembered and put back.
 * @throws TargetDownError
 */
export async function openWorld({ contract, target, random, onExchange }: WorldOptions): Promise<World> {
  const wire = openWire(target.url);
  const seen = createSeen(contract);
  const keeper = createKeeper(target, async (ask) => parse(await transmit(ask), toWireRequest(ask, target)));
  let snapshot: Promise<Snapshot> | undefined;

  async function transmit(ask: Ask): Promise<Received> {
    const request = toWireRequest(ask, target);
    for (let attempt = 0; ; attempt++) {
      const received = await wire.send(request).catch((error) => {
        if (error instanceof NoAnswerError) throw new Mismatch("answer", "an answer", error.message, request);
        throw error;
      });
      const wait = Number(received.headers["retry-after"]);
      if (received.status !== 429 || ask.headers?.prefer || attempt === 5 || !(wait <= LONGEST_RETRY_S))
        return received;
      await new Promise((resolve) => setTimeout(resolve, wait * 1000));
    }
  }

  const world: World = {
    contract,
    target,
    random,
    seen,
    operation(id) {
      const operation = contract.operations.find((known) => known.id === id);
      if (!operation) throw new Error(`the contract has no operation ${id}`);
      return operation;
    },
    async send(ask) {
      await keeper.remember(ask);
      const request = toWireRequest(ask, target);
      const answer = parse(await transmit(ask), request);
      onExchange?.(ask.operation, answer);
      const checked = { ...answer, body: request.method === "HEAD" ? undefined : answer.body };
      const problems = contract
        .checkAnswer(ask.operation, checked)
        .filter((problem) => isAsked(problem, answer, target));
      if (problems.length > 0) {
        const list = problems.slice(0, 5).map(({ location, message }) => `${location} ${message}`);
        throw new Mismatch("answer", `${answer.status} as the contract has it`, list, request);
      }
      checkEveryAnswer(ask, answer, world);
      seen.add(ask.operation, answer);
      return answer;
    },
    snapshot: () => {
      snapshot ??= openNotificationList(world).readAll();
      return snapshot;
    },
    async close() {
      return keeper.restore().finally(wire.close);
    },
  };
  await wire.send({ method: "GET", path: target.url.pathname, headers: {} }).catch((error) => {
    if (!(error instanceof NoAnswerError)) throw error; // whoever is there may refuse this path as it likes
  });
  return world;
}

function parse({ status, headers, text }: Received, request: WireRequest): Answer {
  if (text === "") return { status, headers, body: request.method === "HEAD" ? undefined : "", text, request };
  try {
    return { status, headers, body: JSON.parse(text), text, request };
  } catch {
    throw new Mismatch("body", "JSON", text.slice(0, 200), request);
  }
}

function isAsked(
  { location, message }: { location: string; message: string },
  answer: Answer,
  { can }: Target,
): boolean {
  if (message === "is not declared for this status") return can.includes("exact-headers");
  if (message === "is not a known member" && answer.status >= 400) return can.includes("exact-errors");
  return location !== "";
}
