// What all parts of the generator share.
import type { Random } from "../domain/random.js";
import type { StoredPreferences, Subscriber } from "../domain/state.js";
import type { createObjectIds } from "./object-id.js";

export interface SeedContext {
  /** Milliseconds. Later events have not happened. */
  asOf: number;
  subscribers: readonly Subscriber[];
  preferences: readonly StoredPreferences[];
  random: Random;
  nextId: ReturnType<typeof createObjectIds>;
}
