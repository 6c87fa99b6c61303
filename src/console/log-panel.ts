// The live log of requests: follows the server by long polling while the page is seen.
import type { Control, LoggedRequest, RequestFilter } from "../client/control.js";
import { isOwn } from "./access.js";
import { readAddress, writeAddress } from "./address.js";
import type { Chosen, Panel } from "./chosen.js";
import { find, onPress } from "./dom.js";
import { toLogItem } from "./log-item.js";
import { createTask } from "./task.js";

const WAIT_MS = 25_000;
const BATCH_MS = 200; // under load, requests come together
const MOST_SHOWN = 200;
const SWITCHES = ["refused", "here", "own"] as const;

export interface LogEvents {
  /** Requests of others have come: what they have changed may be worth a look. */
  changed(): void;
  /** The server does not answer any more. */
  lost(error: unknown): void;
}

export function createLogPanel({ changed, lost }: LogEvents): Panel {
  const panel = find("section", "#log");
  const list = find("ol", "[data-list]", panel);
  const form = find("form", "[data-filter]", panel);
  const task = createTask(panel);
  let chosen: Chosen | undefined;
  let following = new AbortController();

  for (const name of SWITCHES) find("input", `[name=${name}]`, form).checked = readAddress().has(name);

  /** Starts anew, with the filter as it is now. */
  function follow(): void {
    following.abort();
    following = new AbortController();
    list.replaceChildren();
    showCount();
    if (!chosen || document.hidden) return; // a browser has few connections for one server
    const { signal } = following;
    const filter = toFilter(form, chosen.environment.name);
    void readOn(chosen.control, filter, { signal, show }).catch((error: unknown) => {
      if (!signal.aborted) lost(error);
    });
  }

  function show(requests: readonly LoggedRequest[]): void {
    const shown = isChecked(form, "own") ? requests : requests.filter((request) => !isOwn(request));
    list.prepend(...shown.map(toLogItem).reverse());
    while (list.children.length > MOST_SHOWN) list.lastElementChild?.remove();
    showCount();
    if (shown.length > 0) changed();
  }

  function showCount(): void {
    const refused = list.querySelectorAll("[data-refused]").length;
    const count = list.children.length;
    task.say(count === 0 ? "Waiting for requests …" : `${count} shown, ${refused} refused.`);
  }

  form.addEventListener("change", () => {
    writeAddress(Object.fromEntries(SWITCHES.map((name) => [name, isChecked(form, name) ? ["on"] : []])));
    follow();
  });
  onPress(find("button", "[data-do=clear]", form), () => {
    if (!chosen) return;
    const { control, environment } = chosen;
    const which = isChecked(form, "here") ? environment.name : undefined;
    return task.run(() => control.clearRequests(which), follow);
  });
  document.addEventListener("visibilitychange", follow);
  return (shown) => {
    chosen = shown;
    follow();
  };
}

interface Reading {
  signal: AbortSignal;
  show(requests: readonly LoggedRequest[]): void;
}

/** Shows the latest requests, then each that comes. Ends by rejecting: when it is aborted, or the server is gone. */
async function readOn(control: Control, filter: RequestFilter, { signal, show }: Reading): Promise<never> {
  let { requests, latest } = await control.listRequests(filter, { signal });
  show(requests);
  for (;;) {
    const after = latest;
    ({ requests, latest } = await control.listRequests({ ...filter, after, waitMs: WAIT_MS }, { signal }));
    show(requests);
    if (requests.length > 0) await new Promise((resolve) => setTimeout(resolve, BATCH_MS));
    latest = requests.at(-1)?.number ?? latest; // there may be more than one answer holds
  }
}

function toFilter(form: HTMLFormElement, environment: string): RequestFilter {
  return {
    ...(isChecked(form, "here") ? { environment } : {}),
    ...(isChecked(form, "refused") ? { refused: true } : {}),
  };
}

function isChecked(form: HTMLFormElement, name: (typeof SWITCHES)[number]): boolean {
  return find("input", `[name=${name}]`, form).checked;
}
