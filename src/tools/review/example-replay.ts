// Replays the requests of examples on the reference server: each in a separate environment, on the demo seed with the
// clock at its `asOf`, and under the condition of the example (`x-given`).
import pino from "pino";
import type { Contract } from "../../contract/contract.js";
import type { ExampleRequest, ExampleSetting, Operation } from "../../contract/model.js";
import { toRequestSpec } from "../../contract/request-spec.js";
import { createFrozenClock } from "../../core/domain/clock.js";
import { createEnvironment, type Environment } from "../../core/state/environment.js";
import { recordContractOf } from "../../proposals/record-contract.js";
import { createApp } from "../../server/app.js";
import { startListener } from "../../server/http/listener.js";
import { loadSeed } from "../../server/store/seed.js";
import { openStore } from "../../server/store/store.js";

export interface ReplayedResponse {
  status: number;
  body: unknown;
}

export interface Replay {
  send(operation: Operation, request: ExampleRequest, setting?: ExampleSetting): Promise<ReplayedResponse>;
  close(): Promise<void>;
}

/** Opens the contract as `serve` does: records follow the package's own contract, and responses are adapted. */
export async function openReplay(contract: Contract): Promise<Replay> {
  const recordContract = recordContractOf(contract);
  const seed = await loadSeed("demo", recordContract);
  const clock = createFrozenClock(new Date(seed.asOf));
  const opened = await openStore({
    ...{ contract: recordContract, folder: undefined, apiKey: "review", seed: async () => seed, clock },
  });
  const environments = new Map<string, Environment>();
  const store = { ...opened, environmentOf: (apiKey: string) => environments.get(apiKey) };
  const log = pino({ level: "silent" });
  const app = createApp({ contract, store, clock, log, plan: "enterprise", checkResponses: false });
  const listener = await startListener(app, { host: "127.0.0.1", port: 0 });

  return {
    async send(operation, request, { requests = [], condition } = {}) {
      const apiKey = `review-${environments.size}`;
      const created = await opened.create({ name: apiKey, apiKey, seed, isDurable: false });
      const { environment, isCommitting, release } = impair(created, condition);
      environments.set(apiKey, environment);
      const sendOne = async (example: ExampleRequest): Promise<ReplayedResponse> => {
        const { target, ...init } = toRequestSpec(operation, example, apiKey);
        const response = await fetch(`${listener.url}${target}`, init);
        const text = await response.text();
        return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
      };
      const pending: Promise<ReplayedResponse>[] = [];
      for (const example of requests) {
        pending.push(sendOne(example));
        await Promise.race([pending.at(-1), isCommitting]);
      }
      const response = await sendOne(request);
      release();
      await Promise.all(pending);
      return response;
    },
    async close() {
      await listener.stop();
      await opened.close();
    },
  };
}

/** `isCommitting` settles when a slow disk starts to store something; `release` lets it continue. */
function impair(created: Environment, condition: ExampleSetting["condition"]) {
  let [announce, release] = [() => {}, () => {}];
  const isCommitting = new Promise<void>((resolve) => (announce = resolve));
  const released = new Promise<void>((resolve) => (release = resolve));
  const append = async () => {
    if (condition === "fullDisk") throw new Error("no space left");
    if (condition !== "slowDisk") return;
    announce();
    await released;
  };
  const environment = createEnvironment({ ...created, log: { append } });
  const fail = () => {
    throw new Error("a bug");
  };
  const broken = { state: { get: fail }, transact: { value: fail } };
  return {
    environment: condition === "fault" ? Object.defineProperties(environment, broken) : environment,
    isCommitting,
    release,
  };
}
