// A store on a small seed, whose clock stands still.
import { loadContract } from "../../src/contract/contract.js";
import { createFrozenClock } from "../../src/core/domain/clock.js";
import { openStore, type Store, type StoreOptions } from "../../src/server/store/store.js";
import { createSmallSeed } from "./small-seed.js";

export const NOW = new Date("2026-06-01T00:00:00.000Z");

export const contract = await loadContract(); // once: what takes long at a start

/** Opens it as often as a test wants to restart it. Without a folder it is in memory. */
export function openSmallStore(folder: string | undefined, options: Partial<StoreOptions> = {}): Promise<Store> {
  const seed = async () => createSmallSeed();
  return openStore({ contract, folder, apiKey: "key", seed, clock: createFrozenClock(NOW), ...options });
}
