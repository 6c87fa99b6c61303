// What a reset takes back.
import type { Environment } from "../../browser/client/control.js";
import { describeClock } from "../script/dashboard.js";

type Lists = Record<string, readonly unknown[]>;

/** What differs from the demo data, as the server exports it. Of another seed, the page knows nothing. */
export function describeChanges(
  seed: Lists & { extends?: { without: Lists } },
  environment: Environment,
  loadedAt: number,
) {
  const { clock, faults } = environment;
  if (!seed.extends) return "All changes are lost.";
  const { without } = seed.extends;
  const lists = NOUNS.flatMap(([list, noun, start = ""]) => {
    const count = (seed[list]?.length ?? 0) + (without[list]?.length ?? 0);
    return count === 0 ? [] : `${start}${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
  });
  const time = describeClock(clock, loadedAt);
  const others = [
    time !== "running" && `the clock (${time})`,
    faults > 0 && `${faults} active fault${faults === 1 ? "" : "s"}`,
  ];
  const changes = [...lists, ...others].filter((change) => change !== false);
  if (changes.length === 0) return "Nothing differs from the demo data.";
  return `All changes are lost. Differences from the demo data: ${LIST.format(changes)}.`;
}

const LIST = new Intl.ListFormat("en");
const NOUNS: readonly (readonly [list: string, noun: string, start?: string])[] = [
  ["workflows", "workflow"],
  ["subscribers", "subscriber"],
  ["preferences", "subscriber", "preferences of "],
  ["notifications", "notification"],
];
