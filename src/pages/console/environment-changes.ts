// What a reset takes back.
import type { Control, Environment } from "../../browser/client/control.js";
import { describeClock } from "../script/dashboard.js";
import { find } from "../script/dom.js";
import { createPanelStatus, type PanelStatus, selected } from "./panel.js";

type Lists = Record<string, readonly unknown[]>;

interface ExportedSeed {
  environment: string;
  lists: Lists & { extends?: { without: Lists } };
}

async function loadSeed(control: Control, environment: string): Promise<ExportedSeed> {
  return { environment, lists: JSON.parse(await control.exportEnvironment(environment, { extends: "demo" })) };
}

/** Returns a function that says beside the button what a reset takes back. */
export function createChanges(panel: HTMLElement) {
  const place = find("p", "[data-changes]", panel);
  const status = createPanelStatus(panel);
  let seed: ExportedSeed | undefined;

  function show(): void {
    const { environment, loadedAt } = selected();
    const text = seed?.environment === environment.name ? describeChanges(seed, environment, loadedAt) : "";
    if (place.textContent !== text) place.textContent = text;
    place.hidden = text === "";
  }
  return (hasChanged: boolean): void => {
    show();
    if (!hasChanged) return;
    void status.load(loadSeed, (loaded) => {
      seed = loaded;
      show();
    });
  };
}

/** For the question before a reset. Undefined if the server does not say it. */
export async function describeLoss({ act }: PanelStatus): Promise<string | undefined> {
  const { environment, loadedAt } = selected();
  let loss: string | undefined;
  await act(loadSeed, (seed) => {
    const changes = describeChanges(seed, environment, loadedAt);
    loss = changes === NO_CHANGES ? changes : `All changes are lost. ${changes}`;
  });
  return loss;
}

/** From the demo data. Empty of another seed, of which the page knows nothing. */
function describeChanges({ lists: seed }: ExportedSeed, { clock, faults }: Environment, loadedAt: number): string {
  if (!seed.extends) return "";
  const { without } = seed.extends;
  const records = NOUNS.flatMap(([list, noun, start = ""]) => {
    const count = (seed[list]?.length ?? 0) + (without[list]?.length ?? 0);
    return count === 0 ? [] : `${start}${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
  });
  const time = describeClock(clock, loadedAt);
  const others = [
    time !== "running" && `the clock (${time})`,
    faults > 0 && `${faults} active fault${faults === 1 ? "" : "s"}`,
  ];
  const changes = [...records, ...others].filter((change) => change !== false);
  if (changes.length === 0) return NO_CHANGES;
  return `Differences from the demo data: ${LIST.format(changes)}.`;
}

const NO_CHANGES = "Nothing differs from the demo data.";
const LIST = new Intl.ListFormat("en");
const NOUNS: readonly (readonly [list: string, noun: string, start?: string])[] = [
  ["workflows", "workflow"],
  ["subscribers", "subscriber"],
  ["preferences", "subscriber", "preferences of "],
  ["notifications", "notification"],
];
