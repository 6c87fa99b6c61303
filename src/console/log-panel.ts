// The live log of requests: long polling while the page is visible.
import type { Control, LoggedRequest, RequestFilter } from "../client/control.js";
import { find, onPress } from "./dom.js";
import { toLogItem } from "./log-item.js";
import { readPageAddress, writePageAddress } from "./page-address.js";
import { createPanelStatus } from "./panel-status.js";
import { isOwn } from "./recording-client.js";
import { createSelectionHolder, type Panel } from "./selection.js";

const WAIT_MS = 25_000;
const BATCH_MS = 200; // under load, requests are shown in batches
const MAX_SHOWN = 200;
const SWITCHES = ["rejected", "here", "own"] as const;

export interface LogEvents {
  /** Others have sent requests, which may have changed the environment. */
  changed(): void;
  /** The server no longer responds. */
  lost(error: unknown): void;
}

export function createLogPanel({ changed, lost }: LogEvents): Panel {
  const panel = find("section", "#log");
  const list = find("ol", "[data-list]", panel);
  const form = find("form", "[data-filter]", panel);
  const status = createPanelStatus(panel);
  const selection = createSelectionHolder();
  let following = new AbortController();

  for (const name of SWITCHES) find("input", `[name=${name}]`, form).checked = readPageAddress().has(name);

  /** Restarts with the current filter. */
  function follow(): void {
    following.abort();
    following = new AbortController();
    list.replaceChildren();
    showCount();
    if (document.hidden) return; // a browser opens few connections to one server
    const { signal } = following;
    selection.use(({ control, environment }) =>
      poll(control, toFilter(form, environment.name), { signal, show }).catch((error: unknown) => {
        if (!signal.aborted) lost(error);
      }),
    );
  }

  function show(requests: readonly LoggedRequest[]): void {
    const shown = isChecked(form, "own") ? requests : requests.filter((request) => !isOwn(request));
    list.prepend(...shown.map(toLogItem).reverse());
    while (list.children.length > MAX_SHOWN) list.lastElementChild?.remove();
    showCount();
    if (shown.length > 0) changed();
  }

  function showCount(): void {
    const rejected = list.querySelectorAll("[data-rejected]").length;
    const count = list.children.length;
    status.say(count === 0 ? "Waiting for requests …" : `${count} shown, ${rejected} rejected.`);
  }

  form.addEventListener("change", () => {
    writePageAddress(Object.fromEntries(SWITCHES.map((name) => [name, isChecked(form, name) ? ["on"] : []])));
    follow();
  });
  onPress(find("button", "[data-do=clear]", form), () =>
    selection.use(({ control, environment }) => {
      const scope = isChecked(form, "here") ? environment.name : undefined;
      return status.run(() => control.clearRequests(scope), follow);
    }),
  );
  document.addEventListener("visibilitychange", follow);
  return (selected) => {
    selection.set(selected);
    follow();
  };
}

interface PollOptions {
  signal: AbortSignal;
  show(requests: readonly LoggedRequest[]): void;
}

/** Shows the latest requests, then each new one. @throws when it is aborted or the server no longer responds. */
async function poll(control: Control, filter: RequestFilter, { signal, show }: PollOptions): Promise<never> {
  let { requests, latest } = await control.listRequests(filter, { signal });
  show(requests);
  for (;;) {
    const after = latest;
    ({ requests, latest } = await control.listRequests({ ...filter, after, waitMs: WAIT_MS }, { signal }));
    show(requests);
    if (requests.length > 0) await new Promise((resolve) => setTimeout(resolve, BATCH_MS));
    latest = requests.at(-1)?.number ?? latest; // a response may not contain all of them
  }
}

function toFilter(form: HTMLFormElement, environment: string): RequestFilter {
  return {
    ...(isChecked(form, "here") ? { environment } : {}),
    ...(isChecked(form, "rejected") ? { rejected: true } : {}),
  };
}

function isChecked(form: HTMLFormElement, name: (typeof SWITCHES)[number]): boolean {
  return find("input", `[name=${name}]`, form).checked;
}
