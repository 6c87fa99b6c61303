// What is seen outside of the view: badges in the rail, the title and the icon of the tab.
import type { Control, Environment, LoggedRequest } from "../../browser/client/control.js";
import { capitalize, find } from "../script/dom.js";
import { followRequests } from "./log-panel.js";
import { isNetworkError } from "./panel.js";

const icon = find("link", "link[rel=icon]");
const plainIcon = icon.href;
const alarmIcon = plainIcon.replaceAll("%232453d3", "%23b3261e");

/** Badges of the environment's faults and frozen clock; the icon is red while a fault applies. */
export function showStatus(view: string, environment: Environment | undefined): void {
  const faults = environment?.faults ?? 0;
  setBadge("faults", String(faults), faults > 0);
  setBadge("clock", "frozen", environment?.clock.mode === "frozen");
  const href = faults > 0 ? alarmIcon : plainIcon;
  if (icon.href !== href) icon.href = href;
  const name = environment ? `${environment.name} · ` : "";
  document.title = `${capitalize(view)} · ${name}notifications-contract`;
}

const MAX_COUNT = 100;
let following = new AbortController();

/** Counts the rejected requests of an environment while the page is visible. */
export function followRejections(control: Control, environment: string): void {
  following.abort();
  following = new AbortController();
  const { signal } = following;
  const filter = { environment, rejected: true, console: false, responseBodies: false, limit: MAX_COUNT };
  followRequests(control, filter, signal, (requests) => showRejections(requests, environment)).catch(
    (error: unknown) => {
      if (!signal.aborted && !isNetworkError(error)) throw error; // main.ts reports an outage
    },
  );
}

export function stopRejections(): void {
  following.abort();
}

function showRejections({ length }: readonly LoggedRequest[], environment: string): void {
  const count = length < MAX_COUNT ? String(length) : `${MAX_COUNT}+`;
  setBadge("rejected", count, length > 0);
  find("span", "[data-badge=rejected]").title = `${count} rejected in ${environment}: their status is 4xx`;
}

function setBadge(name: string, text: string, isShown: boolean): void {
  const badge = find("span", `[data-badge=${name}]`);
  badge.textContent = text;
  badge.hidden = !isShown;
}
