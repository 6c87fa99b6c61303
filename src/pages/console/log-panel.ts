// The live log: the latest requests that match a filter, by long polling while the page is visible.
import type { Control, Fault, LoggedRequest, RequestFilter } from "../../browser/client/control.js";
import type { RequestSpec } from "../../contract/request-spec.js";
import { ask } from "../script/ask.js";
import { snippet } from "../script/code-panel.js";
import { button, find, onPress, showEmpty } from "../script/dom.js";
import { formatApiCurl } from "./keys.js";
import { createLogFilter, MAX_ROWS, UNKNOWN_KEYS } from "./log-filter.js";
import { writePageAddress } from "./navigation.js";
import { createPanelStatus, isNetworkError, messageOf, type Panel, selected } from "./panel.js";
import { buildRequestCells, buildRequestDetail } from "./request-detail.js";
import { buildSender } from "./request-sender.js";
import { createRowTable } from "./row-table.js";

const WAIT_MS = 25_000;
const BATCH_MS = 200; // under load, requests are shown in batches

/** @param cleared called when requests were removed from the log. */
export function createLogPanel(cleared: () => void): Panel {
  const panel = find("section", "#requests");
  const status = createPanelStatus(panel);
  const filter = createLogFilter(panel, follow);
  const table = createRowTable<LoggedRequest>(panel, {
    parameter: "request",
    idOf: ({ id }) => id,
    keyOf: ({ number }) => String(number),
    timeOf: ({ at }) => at,
    toCells: (request, opener) => buildRequestCells(request, opener, faults.get(request.fault)),
    findUnlisted: loadOne,
    missing: "It is no longer in the log, which was cleared, or later requests have taken its place.",
    async toDetail(request) {
      await loadFaults([request]);
      const loaded = (await loadOne(request.id)) ?? request;
      return buildRequestDetail(loaded, faults.get(request.fault), buildSender(loaded, request.id === edited, send));
    },
  });
  let following = new AbortController();
  let environment: string | undefined;
  /** The id of the request that was sent from the form, which stays open. */
  let edited: string | undefined;

  function follow(): void {
    following.abort();
    following = new AbortController();
    const { signal } = following;
    if (document.hidden || environment === undefined) return; // browsers limit the connections to one server
    const { isEverywhere, isEmpty, counted, chosen, isShown } = filter.read();
    panel.classList.toggle("everywhere", isEverywhere);
    const { control } = selected();
    const report = (error: unknown) => {
      // Main.ts reports an outage, and reloads the panel.
      if (!signal.aborted && !isNetworkError(error)) status.say(messageOf(error));
    };
    filter.countUnknown([]);
    if (!isEverywhere) followRequests(control, UNKNOWN_KEYS, signal, filter.countUnknown).catch(report);
    followRequests(control, counted, signal, async (requests, dropped) => {
      filter.showCounts(requests.filter(isShown));
      const found = chosen && (await control.listRequests(chosen, { signal }));
      const shown = (found?.requests.reverse() ?? requests).filter(isShown).slice(0, MAX_ROWS);
      await loadFaults(shown);
      if (signal.aborted) return;
      show(shown, isEmpty);
      status.say(dropped > 0 ? `${dropped} older no longer in the log` : "");
    }).catch(report);
  }

  function show(requests: readonly LoggedRequest[], isAll: boolean): void {
    table.show(requests);
    if (requests.length > 0) showEmpty(panel);
    else if (!isAll) showEmpty(panel, "No request matches the filter.", button("Show all", filter.clear));
    else {
      const code = snippet("Send one", formatApiCurl("GET", "/v1/notifications?limit=2"));
      showEmpty(panel, "No requests to this environment yet.", code);
    }
  }

  /** Sends a request as a front-end would, so that faults apply to it, and opens its row. */
  async function send(spec: RequestSpec, isEdited: boolean): Promise<void> {
    await status.act(
      () => fetch(spec.target, spec),
      ({ headers }) => {
        const id = headers.get("x-request-id") ?? "";
        edited = isEdited ? id : undefined;
        writePageAddress({ request: [id] }, "pushState");
        follow();
      },
    );
  }

  onPress(find("button", "[data-do=clear]", panel), async () => {
    const { environment: name } = filter.read().counted;
    const question = `Clear the log of ${name ?? "all environments"}?`;
    if (!(await ask(question, [{ value: "clear", text: "Clear" }]))) return;
    await status.act(
      (control) => control.clearRequests(name),
      () => {
        follow();
        cleared();
      },
    );
  });
  document.addEventListener("visibilitychange", follow);
  return (isNew) => {
    environment = selected().environment.name;
    table.followAddress();
    if (!isNew) return;
    filter.readAddress();
    follow();
  };
}

/** Shows the latest requests now and whenever there are new ones, until aborted. */
export async function followRequests(
  control: Control,
  filter: RequestFilter,
  signal: AbortSignal,
  show: (requests: readonly LoggedRequest[], dropped: number) => Promise<void> | void,
): Promise<void> {
  const first = await control.listRequests(filter, { signal });
  let shown = first.requests.reverse(); // newest first
  let { latest } = first;
  await show(shown, first.dropped);
  for (;;) {
    const next = await control.listRequests({ ...filter, after: latest, waitMs: WAIT_MS }, { signal });
    latest = next.requests.at(-1)?.number ?? Math.max(latest, next.latest); // a response may not have all new requests
    if (next.requests.length === 0) continue;
    shown = [...next.requests.reverse(), ...shown].slice(0, filter.limit);
    await show(shown, next.dropped);
    await new Promise((resolve) => setTimeout(resolve, BATCH_MS));
  }
}

/** With the body of its response; undefined if the server has dropped it. */
async function loadOne(id: string): Promise<LoggedRequest | undefined> {
  const found = await unlessGone(selected().control.listRequests({ search: id }));
  return found?.requests.find((request) => request.id === id);
}

/** Those of the environment by their id. It lacks those that were removed, or are in another one. */
let faults = new Map<string | undefined, Fault>();

async function loadFaults(requests: readonly LoggedRequest[]): Promise<void> {
  if (requests.every(({ fault }) => fault === undefined)) return;
  const { control, environment } = selected();
  const current = (await unlessGone(control.listFaults(environment.name))) ?? [];
  faults = new Map(current.map((fault) => [fault.id, fault]));
}

/** Undefined without a response: main.ts reports the outage. */
async function unlessGone<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    if (isNetworkError(error)) return undefined;
    throw error;
  }
}
