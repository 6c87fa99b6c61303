// The options of a seed, and their limits.
import { ConfigError } from "../config.js";
import { LAST_ID_INSTANT } from "./object-id.js";
import { WORKFLOWS } from "./workflows.js";

export interface SeedOptions {
  subscribers: number;
  notifications: number;
  /** The same number gives the same seed, byte for byte. */
  randomSeed: number;
  /** RFC 3339. The seed's present time; its newest notification is a minute older. */
  asOf: string;
  /** Only the members that lists need: no jobs, no payload, no tags. Default: false. */
  brief?: boolean;
  /** The steps of type `custom` have the type `throttle`, which old clients do not know (D-75). Default: false. */
  throttle?: boolean;
}

/** The options of data/seeds/demo.json. */
export const DEMO_OPTIONS: SeedOptions = {
  subscribers: 25,
  notifications: 150,
  randomSeed: 290,
  asOf: "2026-11-02T09:00:00.000Z",
};

// A larger file would exceed Node's longest string, and a server could not read it.
const MAX_FULL_NOTIFICATIONS = 100_000;
const MAX_RECORDS = 1_500_000; // brief notifications, and subscribers

/** The last change of the catalogue. A seed cannot be older. */
const CATALOGUE_INSTANT = Math.max(...WORKFLOWS.map(({ workflow }) => Date.parse(workflow.updatedAt)));

/** @throws ConfigError when the options contradict each other or exceed a limit. */
export function assertSeedOptions({ asOf, subscribers, notifications, brief }: SeedOptions): void {
  const instant = Date.parse(asOf);
  if (!(instant >= CATALOGUE_INSTANT && instant <= LAST_ID_INSTANT)) {
    const [first, last] = [CATALOGUE_INSTANT, LAST_ID_INSTANT].map((limit) => new Date(limit).toISOString());
    throw new ConfigError(`asOf must be an instant from ${first} to ${last}; it is ${asOf}.`);
  }
  if (subscribers === 0 && notifications > 0) {
    throw new ConfigError("Notifications need a recipient: use at least one subscriber.");
  }
  if (notifications > MAX_FULL_NOTIFICATIONS && !brief) {
    throw new ConfigError(`More than ${MAX_FULL_NOTIFICATIONS} notifications must be brief: add --brief.`);
  }
  if (subscribers + notifications > MAX_RECORDS) {
    throw new ConfigError(`A seed holds at most ${MAX_RECORDS} subscribers and notifications together.`);
  }
}
