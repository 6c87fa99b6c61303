// Replays the requests behind examples on the reference server: each in an environment of its own, on the demo seed with
// the clock at its `asOf`, and with the trouble that the example is about (`x-given`).
import pino from "pino";
import { createApp } from "../app.js";
import type { Contract } from "../contract/contract.js";
import type { ExampleRequest, ExampleSetting } from "../contract/openapi-document.js";
import type { Operation } from "../contract/operations.js";
import { createFrozenClock } from "../domain/clock.js";
import { rateLimitOf } from "../domain/rate-limit.js";
import { startListener } from "../http/listener.js";
import { createEnvironment, type Environment } from "../store/environment.js";
import { loadSeed } from "../store/seed.js";
import { openStore } from "../store/store.js";
import { toWireRequest } from "./wire-request.js";

/** Its rate limit is the smallest; the clock stands still, so that it is never filled up again. */
const PLAN = "free";
const BURST = rateLimitOf(PLAN, "global").burst;

export interface Answered {
  status: number;
  body: unknown;
}

export interface Replay {
  ask(operation: Operation, request: ExampleRequest, given?: ExampleSetting): Promise<Answered>;
  close(): Promise<void>;
}

export async function openReplay(contract: Contract): Promise<Replay> {
  const seed = await loadSeed("demo", contract);
  const now = new Date(seed.asOf);
  const clock = createFrozenClock(now);
  const opened = await openStore({ contract, folder: undefined, apiKey: "review", seed: async () => seed, clock });
  const environments = new Map<string, Environment>();
  const store = { ...opened, environmentOf: (apiKey: string) => environments.get(apiKey) };
  const log = pino({ level: "silent" });
  const options = { plan: "enterprise", rateLimit: PLAN, checkResponses: false } as const;
  const app = createApp({ contract, store, clock, log, ...options });
  const listener = await startListener(app, { host: "127.0.0.1", port: 0 });

  return {
    async ask(operation, request, { requests = [], trouble } = {}) {
      const all = trouble === "rateLimit" ? new Array<ExampleRequest>(BURST).fill(request) : requests;
      const apiKey = `review-${environments.size}`;
      const healthy = await opened.create({ name: apiKey, apiKey, seed, now, isDurable: false });
      const { environment, isStoring, release } = inTrouble(healthy, trouble);
      environments.set(apiKey, environment);
      const send = async (one: ExampleRequest): Promise<Answered> => {
        const { target, ...sent } = toWireRequest(operation, one, apiKey);
        const answer = await fetch(`${listener.url}${target}`, sent);
        return { status: answer.status, body: await answer.json() };
      };
      const before: Promise<Answered>[] = [];
      for (const one of all) {
        before.push(send(one));
        await Promise.race([before.at(-1), isStoring]);
      }
      const answer = await send(request);
      release();
      await Promise.all(before);
      return answer;
    },
    async close() {
      await listener.stop();
      await opened.close();
    },
  };
}

interface Troubled {
  environment: Environment;
  /** Settles when a slow disk has something to store. */
  isStoring: Promise<void>;
  /** Lets a slow disk go on. */
  release(): void;
}

function inTrouble(healthy: Environment, trouble: ExampleSetting["trouble"]): Troubled {
  let [arrive, release] = [() => {}, () => {}];
  const isStoring = new Promise<void>((resolve) => (arrive = resolve));
  const released = new Promise<void>((resolve) => (release = resolve));
  const append = async () => {
    if (trouble === "fullDisk") throw new Error("no space left");
    if (trouble !== "slowDisk") return;
    arrive();
    await released;
  };
  const environment = createEnvironment({ ...healthy, log: { append } });
  const troubled = trouble ? FAULTY[trouble]?.(environment) : undefined;
  return { environment: troubled ?? environment, isStoring, release };
}

const FAULTY: Partial<Record<NonNullable<ExampleSetting["trouble"]>, (environment: Environment) => Environment>> = {
  fault: (environment) => toUnreadable(environment, new Error("a fault")), // stands for a bug
};

/** Whoever reads or changes it meets an error. */
function toUnreadable(environment: Environment, error: Error): Environment {
  const fail = () => {
    throw error;
  };
  return Object.defineProperties(environment, { state: { get: fail }, transact: { value: fail } });
}
