// The environments of one server, each with the hash of the key that opens it, and the names and keys that nobody else can have
// meanwhile. While an environment for ann is created:
//   claims    "ann", "key 8f43…"    a second "ann" is rejected, and a "bob" with ann's key
//   entries   default               ann's key opens nothing yet
// Then ann is an entry, and the claims end. A removal takes the entry away at once, and claims until the files are gone; should that
// fail, the entry returns. How contents get here: stored-environment.ts for those of a folder, new-environment.ts for new ones.
import { hash, timingSafeEqual } from "node:crypto";
import { type Clock, createAdjustableClock } from "../../core/domain/clock.js";
import type { EnvironmentData, SerializedNotification } from "../../core/domain/state.js";
import {
  CannotStoreError,
  createEnvironment,
  DEFAULT_ENVIRONMENT,
  type Environment,
} from "../../core/state/environment.js";
import { createEnvironmentState } from "../../core/state/environment-state.js";
import { createLifetime, type Lifetime, type Report } from "./disk/compactor.js";
import type { EnvironmentFiles } from "./disk/environment-files.js";

interface Entry extends Lifetime {
  environment: Environment;
  keyHash: Buffer;
}

type Contents = EnvironmentData<SerializedNotification>;

export type EnvironmentRegistry = ReturnType<typeof createRegistry>;

/** Keys are stored and compared as hashes. */
export const hashKey = (key: string): Buffer => hash("sha256", key, "buffer");

/** @param apiKey opens the default environment; every other has the hash of its key in its contents. */
export function createRegistry({ apiKey, clock, report }: { apiKey: string; clock: Clock; report: Report }) {
  const entries: Entry[] = [];
  const claims = new Set<string>(); // of environments that are being created or removed
  const defaultKeyHash = hashKey(apiKey);

  function keyHashOf(name: string, { keyHash = "" }: Contents): Buffer {
    return name === DEFAULT_ENVIRONMENT ? defaultKeyHash : Buffer.from(keyHash, "hex");
  }

  /** Hashes are compared in constant time. */
  function findByKey(keyHash: Buffer): Environment | undefined {
    return entries.find((entry) => timingSafeEqual(entry.keyHash, keyHash))?.environment;
  }

  /** Runs a task while no other environment can have the name or the key. */
  async function claim<T>(name: string, keyHash: Buffer, task: () => Promise<T>): Promise<T> {
    const own = [name, toKeyClaim(keyHash)];
    for (const one of own) claims.add(one);
    try {
      return await task();
    } catch (error) {
      throw error instanceof Error && "syscall" in error ? new CannotStoreError(error) : error;
    } finally {
      for (const one of own) claims.delete(one);
    }
  }

  return {
    /** Oldest first. */
    get environments(): readonly Environment[] {
      return entries.map(({ environment }) => environment);
    },
    /** The environment that a key opens. */
    environmentOf: (apiKey: string) => findByKey(hashKey(apiKey)),
    isNameTaken: (name: string) => claims.has(name) || entries.some(({ environment }) => environment.name === name),
    isKeyTaken: (keyHash: Buffer) => claims.has(toKeyClaim(keyHash)) || findByKey(keyHash) !== undefined,
    /** The name of another environment that the key of these contents opens as well. */
    findNamesake(name: string, contents: Contents): string | undefined {
      const keyHash = keyHashOf(name, contents);
      if (name !== DEFAULT_ENVIRONMENT && keyHash.equals(defaultKeyHash)) return DEFAULT_ENVIRONMENT; // opened or not
      return findByKey(keyHash)?.name;
    },
    claim,
    /** Makes an environment of contents; one without files lives in memory. */
    add(name: string, contents: Contents, files?: EnvironmentFiles): Environment {
      const environment = createEnvironment({
        name,
        state: createEnvironmentState(contents),
        log: files ?? IN_MEMORY,
        clock: createAdjustableClock(clock),
        isDurable: files !== undefined,
      });
      const { drain } = environment;
      const lifetime = files ? createLifetime(environment, files, report) : { close: drain, remove: drain };
      entries.push({ environment, keyHash: keyHashOf(name, contents), ...lifetime });
      return environment;
    },
    async remove(environment: Environment): Promise<void> {
      const index = entries.findIndex((entry) => entry.environment === environment);
      if (index === -1) return;
      const [entry] = entries.splice(index, 1) as [Entry];
      await claim(environment.name, entry.keyHash, entry.remove).catch((error: unknown) => {
        entries.splice(index, 0, entry); // it stays
        throw error;
      });
    },
    async close(): Promise<void> {
      for (const entry of entries) await entry.close();
    },
  };
}

/** No name has a blank. */
function toKeyClaim(keyHash: Buffer): string {
  return `key ${keyHash.toString("hex")}`;
}

const IN_MEMORY = { append: async () => {} };
