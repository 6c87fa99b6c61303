// Environments as the control plane manages them, with the seed and key of those that it has created.
import type { Contract } from "../contract/contract.js";
import { ControlRejection, invalidRequest } from "../core/control/errors.js";
import type { Environments } from "../core/control/handlers.js";
import { parseClockTime } from "../core/control/records.js";
import type { ControlSchemas } from "../core/control/schemas.js";
import { parseInstant } from "../core/domain/clock.js";
import { randomHex } from "../core/domain/random.js";
import type { Seed } from "../core/domain/state.js";
import { DEFAULT_ENVIRONMENT, ENVIRONMENT_NAME, type Environment } from "../core/state/environment.js";
import { createInitialContents } from "../core/state/seed.js";
import type { ControlParts } from "../server/serving.js";
import { EnvironmentTakenError } from "../server/store/environments.js";
import { createSeedSource, parseSeed, SEED_NAMES } from "../server/store/seed.js";

type SeedChoice = Pick<ControlSchemas["NewEnvironment"], "seed" | "data">;

/** How the control plane created an environment. */
interface Creation {
  apiKey?: string;
  seed: Seed;
  ttlSeconds?: number | undefined;
  /** Set if its clock was frozen at its creation. */
  now?: Date;
}

interface EnvironmentManager extends Environments {
  /** Creates the environment that the server's own seed names, unless there is one, so that links to it work. */
  openSeed(): Promise<void>;
}

export function createEnvironmentManager(parts: ControlParts): EnvironmentManager {
  const { store, apiKey, stopping, records: contract } = parts;
  const seedBy = createSeedBy(contract, parts.seed);
  const creations = new WeakMap<Environment, Creation>();
  // Other at every start. Grows by the revisions of deleted environments, so that the sum never decreases.
  let base = Date.now();

  async function remove(environment: Environment): Promise<void> {
    await store.remove(environment);
    base += revisionOf(environment) + 1;
  }

  /** Removes an environment in memory once it was not used for this long. */
  function expire(environment: Environment, ttlMs: number): void {
    const left = environment.usedAt + ttlMs - Date.now();
    const timer = setTimeout(() => {
      if (stopping?.aborted || !store.environments.includes(environment)) return;
      if (environment.usedAt + ttlMs > Date.now()) expire(environment, ttlMs);
      else void remove(environment); // in memory, nothing can fail
    }, left);
    timer.unref();
  }

  return {
    get all() {
      return store.environments;
    },
    get revision() {
      return store.environments.reduce((sum, environment) => sum + revisionOf(environment), base);
    },
    find(name) {
      const match = store.environments.find((environment) => environment.name === name);
      if (match) return match;
      throw new ControlRejection("notFound", `There is no environment ${name}. GET /_control/environments lists them.`);
    },
    async openSeed() {
      const { name } = await parts.seed();
      const isTaken = store.environments.some((environment) => environment.name === name);
      if (ENVIRONMENT_NAME.test(name) && !isTaken) await this.create({ name });
    },
    async create(settings) {
      const {
        name = `env-${randomHex(4)}`,
        apiKey: key = randomHex(16),
        now: at,
        durable,
        ttlSeconds,
        ...choice
      } = settings;
      if (durable && ttlSeconds !== undefined)
        throw invalidRequest("A durable environment stays. Leave one of both out.", "body.ttlSeconds");
      if (durable && !store.hasFolder) {
        const message = "The server keeps nothing on disk: it runs with --ephemeral.";
        throw invalidRequest(message, "body.durable");
      }
      const seed = await seedBy(choice);
      const now = at === undefined ? {} : { now: parseClockTime(parseInstant(at), "body.now") };
      const environmentId = randomHex(12); // tells whose records these are, as in the live service
      const options = { name, apiKey: key, seed, environmentId, isDurable: durable ?? false, ...now };
      const environment = await store.create(options).catch(throwConflict);
      if (now.now) environment.clock.freeze(now.now);
      creations.set(environment, { apiKey: key, seed, ttlSeconds, ...now });
      if (ttlSeconds !== undefined) expire(environment, ttlSeconds * 1000);
      return environment;
    },
    async delete(environment) {
      if (environment.name === DEFAULT_ENVIRONMENT) {
        throw new ControlRejection("conflict", "The default environment stays. Reset it, or create others.");
      }
      await remove(environment);
    },
    ttlOf: (environment) => creations.get(environment)?.ttlSeconds,
    async reset(environment, choice) {
      const creation = creations.get(environment);
      const isChosen = choice.seed !== undefined || choice.data !== undefined;
      const seed = creation && !isChosen ? creation.seed : await seedBy(choice);
      const { name, clock, state } = environment;
      const data = createInitialContents(seed, contract(), name, { clock: clock.base, now: creation?.now });
      const { environmentId } = state; // a reset keeps the environment's identity
      const change = { type: "replaced", data: { ...data, environmentId } } as const;
      await environment.transact(() => ({ result: undefined, changes: [change] }));
      clock.reset();
      if (creation?.now) clock.freeze(creation.now);
    },
    apiKeyOf: (environment) => (environment.name === DEFAULT_ENVIRONMENT ? apiKey : creations.get(environment)?.apiKey),
  };
}

function revisionOf({ state, clock }: Environment): number {
  return 1 + state.revision + clock.revision;
}

function throwConflict(error: unknown): never {
  if (error instanceof EnvironmentTakenError)
    throw new ControlRejection(
      "conflict",
      `${error.message}. Choose another name and key, or let the server generate them.`,
    );
  throw error;
}

/** Creates the function that loads the chosen seed: by name, from data, or the server's own. */
function createSeedBy(contract: () => Contract, serverSeed: () => Promise<Seed>) {
  const sources = new Map<string, () => Promise<Seed>>();
  for (const name of SEED_NAMES) sources.set(name, createSeedSource(name, contract));
  return async function seedBy({ seed: name, data }: SeedChoice): Promise<Seed> {
    if (name !== undefined && data !== undefined)
      throw invalidRequest("Give either seed or data, not both.", "body.data");
    if (data !== undefined) return parseSeed(Buffer.from(JSON.stringify(data)), "The seed", contract());
    if (name === undefined) return serverSeed();
    const source = sources.get(name);
    if (source) return source();
    const message = `Unknown seed ${name}; expected one of ${SEED_NAMES.join(", ")}. Post any other seed as data.`;
    throw invalidRequest(message, "body.seed");
  };
}
