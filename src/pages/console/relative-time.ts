// Times relative to the clock of their environment, with the exact one on hover.
import type { Environment } from "../../browser/client/control.js";

const UNITS = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
] as const;
const format = new Intl.RelativeTimeFormat("en", { style: "short", numeric: "auto" });

const nowOf = new Map<string, () => number>();

export function followClocks(environments: readonly Environment[]): void {
  nowOf.clear();
  for (const { name, clock } of environments) {
    const [now, since] = [Date.parse(clock.now), clock.mode === "running" ? performance.now() : undefined];
    nowOf.set(name, () => now + (since === undefined ? 0 : performance.now() - since));
  }
  updateAll();
}

/** Without an environment, the time is one of the server's own clock. */
export function relativeTime(at: string, environment = ""): HTMLTimeElement {
  const time = document.createElement("time");
  Object.assign(time, { dateTime: at, title: at });
  time.dataset.clockOf = environment;
  update(time);
  return time;
}

setInterval(updateAll, 1000);

function updateAll(): void {
  for (const time of document.querySelectorAll<HTMLTimeElement>("time[data-clock-of]")) update(time);
}

function update(time: HTMLTimeElement): void {
  const now = nowOf.get(time.dataset.clockOf ?? "")?.() ?? Date.now();
  const text = toText((Date.parse(time.dateTime) - now) / 1000);
  if (time.textContent !== text) time.textContent = text;
}

function toText(seconds: number): string {
  const [unit, length] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ["second", 1];
  return format.format(Math.trunc(seconds / length), unit);
}
