// What many cases take for granted. These run first; where one fails, the report lists under it what follows.
import type { ChannelPreferences } from "../../../contract/contract-types.js";
import { plural } from "../../../contract/violation.js";
import { KNOWN_OPERATIONS } from "../../model/operations.js";
import type { Case } from "../case.js";
import { assume, expectStatus, expectThat } from "../expectation.js";
import type { TestContext } from "../test-context.js";

const MAX_SKEW_MS = 60_000;

const isSmall = (skew: number) => Math.abs(skew) <= MAX_SKEW_MS;

/** The time of an error, and how far it is from our clock and from `Date`, in milliseconds. */
async function readClock(list: TestContext["list"]) {
  const { body, headers } = expectStatus(await list({ limit: 0 }), 422);
  const { timestamp = "" } = body as { timestamp?: string };
  const skews = [Date.now(), Date.parse(headers.date ?? "")].map((clock) => Date.parse(timestamp) - clock);
  return { timestamp, skews };
}

/**
 * For cases that compare the target's time with ours: a reference server may have a clock of its own, and a frozen one.
 */
export async function assumeOurTime({ list, can }: Pick<TestContext, "list" | "can">): Promise<void> {
  if (can("demo-seed")) assume((await readClock(list)).skews.some(isSmall), "the target has a clock of its own");
}

export const ROOT_LAWS: Case[] = [
  {
    id: "HTTP › the clock › is right",
    establishes: "clock",
    cites: ["D-48.1"],
    operations: KNOWN_OPERATIONS,
    async run({ list, can, assumeUnchanged }) {
      assumeUnchanged("listNotifications", { reads: ["422 timestamp"] });
      const { timestamp, skews } = await readClock(list);
      const holds = skews.some(isSmall) || can("demo-seed"); // a reference server may have a clock of its own (--now)
      const expected = `within a minute of ${new Date().toISOString()}`;
      const sentence = `The target's clock is ${formatDuration(skews[0] ?? 0)}.`;
      expectThat(holds, { what: "body.timestamp", expected, actual: timestamp, sentence });
    },
  },
  {
    id: "updatePreferences › an update › is there when it is read",
    establishes: "stored updates",
    cites: ["§4.1"],
    operations: ["updatePreferences"],
    needs: ["stateful"],
    changes: true,
    async run({ read, set }) {
      for (const value of [!(await read()).global.channels.email, undefined]) {
        const email = value ?? !(await read()).global.channels.email;
        await set({ channels: { email } });
        const actual = (await read()).global.channels.email;
        expectStored("email", email, actual);
      }
    },
  },
];

/** A failure says what an update has set, and what is read afterwards. */
function expectStored(channel: keyof ChannelPreferences, expected: boolean, actual: unknown): void {
  const reads = actual === undefined ? "is absent" : `reads ${actual}`;
  const sentence = `\`channels.${channel}\` was set to ${expected}, and ${reads}.`;
  expectThat(actual === expected, { what: `body.global.channels.${channel}`, expected, actual, sentence });
}

const UNITS = { day: 86_400_000, hour: 3_600_000, minute: 60_000 };

/** `2 hours behind`; rounded down to the largest unit. */
function formatDuration(skewMs: number): string {
  const [unit, ms] = Object.entries(UNITS).find(([, length]) => Math.abs(skewMs) >= length) ?? ["minute", 60_000];
  const count = Math.floor(Math.abs(skewMs) / ms);
  return `${plural(count, unit)} ${skewMs < 0 ? "behind" : "ahead"}`;
}
