// The environments of one server, each with the hash of the key that opens it. An entry reserves name and key, even
// before its environment is open. While an environment for ann is created:
//   default   the hash of the server's key   open
//   ann       the hash of ann-key            not yet: ann-key opens nothing, and a second "ann" is rejected
// A removal closes the environment at once and drops the entry when the files are removed; if that fails, the
// environment reopens.
import { hash, timingSafeEqual } from "node:crypto";
import { type Clock, createAdjustableClock } from "../../core/domain/clock.js";
import {
  CannotStoreError,
  createMemoryEnvironment,
  DEFAULT_ENVIRONMENT,
  type Environment,
} from "../../core/state/environment.js";
import type { ChangingState } from "../../core/state/environment-state.js";
import {
  createDurableEnvironment,
  type DurableEnvironment,
  EnvironmentFiles,
  type Notify,
} from "./environment-files.js";

interface Entry {
  name: string;
  keyHash: Buffer;
  open?: Opened;
}

type Opened = { environment: Environment } & Partial<Omit<DurableEnvironment, "environment">>;

export type EnvironmentRegistry = ReturnType<typeof createRegistry>;

/** Keys are stored and compared as hashes. */
export const hashKey = (key: string): Buffer => hash("sha256", key, "buffer");

/** Creates the function that compares keys as hashes, in constant time. */
export function createKeyMatch(key: string): (other: string) => boolean {
  const expected = hashKey(key);
  return (other) => timingSafeEqual(hashKey(other), expected);
}

interface RegistryOptions {
  /** Opens the default environment. */
  apiKey: string;
  clock: Clock;
  report?: Notify | undefined;
}

export function createRegistry({ apiKey, clock, report = () => {} }: RegistryOptions) {
  const entries: Entry[] = [{ name: DEFAULT_ENVIRONMENT, keyHash: hashKey(apiKey) }];

  const find = (name: string) => entries.find((entry) => entry.name === name);
  // In constant time.
  const findByKey = (keyHash: Buffer) => entries.find((entry) => timingSafeEqual(entry.keyHash, keyHash));
  const drop = (entry: Entry) => entries.splice(entries.indexOf(entry), 1);

  function open(name: string, contents: EnvironmentFiles | ChangingState): Opened {
    const digest = (text: string) => hash("sha256", text, "hex");
    const parts = { name, clock: createAdjustableClock(clock), digest };
    if (contents instanceof EnvironmentFiles) return createDurableEnvironment(parts, contents, report);
    return { environment: createMemoryEnvironment({ ...parts, state: contents }) };
  }

  return {
    /** The default one first, then by age. */
    get environments(): readonly Environment[] {
      return entries.flatMap((entry) => entry.open?.environment ?? []);
    },
    environmentOf: (key: string) => findByKey(hashKey(key))?.open?.environment,
    isNameTaken: (name: string) => find(name) !== undefined,
    /** The name of the environment that a key opens, or will open. */
    nameOf: (keyHash: Buffer) => findByKey(keyHash)?.name,
    /** Adds an environment, in files or in memory, whose name and key are free, and reserves them while it is made. */
    async add(
      name: string,
      keyHash: Buffer,
      make: () => Promise<EnvironmentFiles | ChangingState>,
    ): Promise<Environment> {
      const entry: Entry = find(name) ?? { name, keyHash };
      if (!entries.includes(entry)) entries.push(entry);
      try {
        entry.open = open(name, await make());
        return entry.open.environment;
      } catch (error) {
        drop(entry);
        throw error;
      }
    },
    async remove(environment: Environment): Promise<void> {
      const entry = entries.find((candidate) => candidate.open?.environment === environment);
      if (!entry?.open) return;
      const { open } = entry;
      delete entry.open;
      try {
        await open.remove?.();
        drop(entry);
      } catch (error) {
        entry.open = open;
        throw translateStoreError(error);
      }
    },
    async compact(): Promise<void> {
      for (const { open } of entries) await open?.compact?.();
    },
    /** Why files lack changes. */
    get problems(): string[] {
      return entries.flatMap(({ open }) => open?.problem ?? []);
    },
    async close(): Promise<void> {
      for (const { open } of entries) await open?.close?.();
    },
  };
}

export function translateStoreError(error: unknown): unknown {
  return error instanceof Error && "syscall" in error ? new CannotStoreError(error) : error;
}
