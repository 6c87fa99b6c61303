// A store on a small seed with a frozen clock.
import { createFrozenClock } from "../../src/core/domain/clock.js";
import { openStore, type Store, type StoreOptions } from "../../src/server/store/environments.js";
import { contract } from "./contract.js";
import { createSmallSeed } from "./small-seed.js";

export const NOW = new Date("2026-06-01T00:00:00.000Z");

/** Opens a store, in memory without a folder. A test may restart it. */
export function openSmallStore(folder: string | undefined, options: Partial<StoreOptions> = {}): Promise<Store> {
  const seed = async () => createSmallSeed();
  return openStore({ contract, folder, apiKey: "key", seed, clock: createFrozenClock(NOW), ...options });
}
