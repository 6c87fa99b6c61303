// What cases work with: the contract, the target, and a way to ask it that holds every answer against the contract.
import type { Contract } from "../contract/contract.js";
import type { Operation, OperationId } from "../contract/operations.js";
import { checkEveryAnswer } from "./answer-laws.js";
import { type Ask, toWireRequest } from "./ask.js";
import { Mismatch } from "./check.js";
import { createKeeper } from "./keeper.js";
import { openNotificationList, type Snapshot } from "./notification-list.js";
import { type OwnEnvironment, openOwnEnvironments } from "./own-environment.js";
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
  /** A further environment, where the target lets the suite make one. */
  createEnvironment: (() => Promise<OwnEnvironment>) | undefined;
  /** The keys of the environments that the suite has made. */
  ownKeys(): readonly string[];
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
 * Opens the target: in environments of its own where it has a control plane. Elsewhere what is changed is remembered and
 * put back.
 * @throws TargetDownError when nobody answers, or no environment can be made.
 */
export async function openWorld({ contract, target: given, random, onExchange }: WorldOptions): Promise<World> {
  const wire = openWire(given.url);
  await wire.send({ method: "GET", path: given.url.pathname, headers: {} }).catch((error) => {
    if (!(error instanceof NoAnswerError)) throw error; // whoever is there may refuse this path as it likes
  });
  const own = openOwnEnvironments(given);
  const target = own
    ? { ...given, apiKey: (await own.create()).apiKey, otherApiKey: (await own.create()).apiKey }
    : given;
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
        .checkResponse(ask.operation, checked)
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
    createEnvironment: own?.create,
    ownKeys: () => own?.keys ?? [],
    async close() {
      const left = own ? own.close().then((): string[] => []) : keeper.restore();
      return left.finally(wire.close);
    },
  };
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
