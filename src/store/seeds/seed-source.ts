// The server's own seed, for its default environment and for those that the control plane makes.
import type { Logger } from "pino";
import type { Contract } from "../../contract/contract.js";
import { openWatchedFile, type WatchedFile } from "../../contract/watched-file.js";
import type { Seed } from "../../domain/state.js";
import { loadSeed, toSeedPath } from "./seed.js";

export interface SeedSource {
  /**
   * The seed, read when it is first needed. Environments that are made of one value share their records.
   * @throws InvalidEnvironmentError; the next to ask reads it again.
   */
  seed(): Promise<Seed>;
  /** Lets go of a large seed, which takes more room than the environment that was made of it, until it is needed again. */
  release(): Promise<void>;
  close(): Promise<void>;
}

const MAX_CACHED_RECORDS = 10_000;

export interface SeedSourceOptions {
  /** A seed's name or file. */
  seed: string;
  /** Read the file again after each save. */
  watch: boolean;
  /** The contract that is served at this moment. */
  contract: () => Contract;
  log: Logger;
}

export function createSeedSource({ seed: name, watch, contract, log }: SeedSourceOptions): SeedSource {
  let opening: Promise<WatchedFile<Seed>> | undefined;
  const open = () =>
    openWatchedFile({ path: toSeedPath(name), load: () => loadSeed(name, contract()), isWatched: watch, log });
  return {
    async seed() {
      opening ??= open();
      try {
        return (await opening).value;
      } catch (error) {
        opening = undefined;
        throw error;
      }
    },
    async release() {
      if (watch || !opening) return; // what is watched has to be there when the next save is broken
      const { subscribers, notifications } = (await opening).value;
      if (subscribers.length + notifications.length > MAX_CACHED_RECORDS) opening = undefined;
    },
    close: async () =>
      opening?.then(
        (file) => file.close(),
        () => {},
      ), // one that did not open has told whoever asked
  };
}
