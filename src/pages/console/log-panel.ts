// The live log: the latest requests that match a filter, by long polling while the page is visible.
import type { Control, LoggedRequest, RequestFilter } from "../../browser/client/control.js";
import type { RequestSpec } from "../../contract/request-spec.js";
import { ask } from "../script/ask.js";
import { snippet } from "../script/code-panel.js";
import { button, element, find, onPress, showEmpty } from "../script/dom.js";
import { formatApiCurl } from "./keys.js";
import { createLogFilter, MAX_ROWS, UNKNOWN_KEYS } from "./log-filter.js";
import { writePageAddress } from "./navigation.js";
import { createPanelStatus, isNetworkError, messageOf, type Panel, type PanelStatus, selected } from "./panel.js";
import { buildComparison } from "./request-comparison.js";
import { buildRequestCells, buildRequestDetail } from "./request-detail.js";
import { buildSender } from "./request-sender.js";
import { createRowTable } from "./row-table.js";

const WAIT_MS = 25_000;
const LOGGED_MS = 300; // a request is logged a moment after its response
const BATCH_MS = 200; // under load, requests are shown in batches

/** @param cleared called when requests were removed from the log. */
export function createLogPanel(cleared: () => void): Panel {
  const panel = find("section", "#requests");
  const status = createPanelStatus(panel);
  const filter = createLogFilter(panel, () => {
    pages.reset();
    follow();
  });
  const table = createRowTable<LoggedRequest>(panel, {
    parameter: "request",
    idOf: ({ id }) => id,
    keyOf: ({ number }) => String(number),
    timeOf: ({ at }) => at,
    toCells: buildRequestCells,
    findUnlisted: loadOne,
    missing: "It is no longer in the log, which was cleared, or later requests have taken its place.",
    async toDetail(request, isListed) {
      const loaded = (await loadOne(request.id)) ?? request;
      const note = !isListed && !filter.read().isEmpty && buildHiddenNote(filter.clear);
      const sender = element("div", {}, note, ...buildRepeater(loaded));
      return buildRequestDetail(loaded, sender);
    },
  });
  const pages = createPages(panel, table.show);
  let following = new AbortController();
  let environment: string | undefined;
  const buildRepeater = createRepeater(status, openRequest);

  function openRequest(id: string): void {
    writePageAddress({ request: [id] }, "pushState");
    follow(); // opens it, whether the list has it or not
  }

  function follow(): void {
    following.abort();
    following = new AbortController();
    const { signal } = following;
    if (document.hidden || environment === undefined) return; // browsers limit the connections to one server
    const view = filter.read();
    const { isEverywhere, isEmpty, order } = view;
    panel.classList.toggle("everywhere", isEverywhere);
    const { control } = selected();
    const report = (error: unknown) => {
      // Main.ts reports an outage, and reloads the panel.
      if (!signal.aborted && !isNetworkError(error)) status.say(messageOf(error));
    };
    filter.countUnknown([]);
    if (!isEverywhere) followRequests(control, UNKNOWN_KEYS, signal, filter.countUnknown).catch(report);
    const list = async (wanted: RequestFilter) => (await control.listRequests(wanted, { signal })).requests.reverse();
    followRequests(control, view.filter, signal, async (requests, dropped) => {
      const chosen = await filter.choose(requests, view, list);
      if (signal.aborted) return;
      const sorted = chosen.toSorted(order.endsWith("time") ? byReceipt : bySlowness);
      const matches = order.startsWith("-") ? sorted.toReversed() : sorted;
      show(matches, isEmpty, order.endsWith("time"));
      status.say(dropped > 0 ? `${dropped} older no longer in the log` : "");
    }).catch(report);
  }

  function show(requests: readonly LoggedRequest[], isAll: boolean, isByTime: boolean): void {
    pages.show(requests, isByTime);
    if (requests.length > 0) showEmpty(panel);
    else if (!isAll) showEmpty(panel, "No request matches the filter.", button("Show all", filter.clear));
    else {
      const code = snippet("Send one", formatApiCurl("GET", "/v1/notifications?limit=2"));
      showEmpty(panel, "No requests to this environment yet.", code);
    }
  }

  onPress(find("button", "[data-do=clear]", panel), async () => {
    const { environment: name } = filter.read().filter;
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

/** Shows the first hundred, and a button for each hundred more. */
function createPages(panel: HTMLElement, place: (requests: readonly LoggedRequest[], isByTime: boolean) => void) {
  const more = find("button", "[data-do=more]", panel);
  let size = MAX_ROWS;
  let showAgain = () => {};

  function show(requests: readonly LoggedRequest[], isByTime: boolean): void {
    place(requests.slice(0, size), isByTime);
    const left = requests.length - size;
    find("tfoot", "tfoot", panel).hidden = left <= 0;
    more.textContent = `Show ${Math.min(left, MAX_ROWS)} more of ${requests.length.toLocaleString("en")}`;
    showAgain = () => show(requests, isByTime);
  }

  onPress(more, () => {
    const first = size;
    size += MAX_ROWS;
    showAgain();
    panel.querySelectorAll<HTMLElement>("tbody tr[data-id] button")[first]?.focus();
  });
  return {
    show,
    reset(): void {
      size = MAX_ROWS;
    },
  };
}

/** Creates the part of the pane that sends the request again. @param open opens a request by its id. */
function createRepeater(status: PanelStatus, open: (id: string) => void) {
  /** The id of the request that was sent from the form, which stays open. */
  let edited: string | undefined;
  /** What was sent again, by the id of the request that was sent. */
  const originals = new Map<string, LoggedRequest>();

  /** Sends a request as a front-end would, so that faults apply to it, and opens its row. */
  async function send(spec: RequestSpec, isEdited: boolean, original: LoggedRequest): Promise<void> {
    await status.act(
      () => fetch(spec.target, spec),
      ({ headers }) => {
        const id = headers.get("x-request-id") ?? "";
        edited = isEdited ? id : undefined;
        originals.set(id, original);
        open(id);
      },
    );
  }

  return (request: LoggedRequest): (Node | string)[] => {
    const earlier = originals.get(request.id);
    const sendAgain = (spec: RequestSpec, isEdited: boolean) => send(spec, isEdited, request);
    return [
      earlier ? buildComparison(earlier, request, () => open(earlier.id)) : "",
      buildSender(request, request.id === edited, sendAgain),
    ];
  };
}

function buildHiddenNote(clear: () => void): HTMLElement {
  const showAll = button("Show all", clear, { className: "link" });
  return element("p", { className: "soft small" }, "The filter hides its row. ", showAll);
}

const byReceipt = (one: LoggedRequest, other: LoggedRequest) => other.at.localeCompare(one.at);
const bySlowness = (one: LoggedRequest, other: LoggedRequest) => (other.milliseconds ?? 0) - (one.milliseconds ?? 0);

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
  const found = await unlessGone(selected().control.listRequests({ search: id, waitMs: LOGGED_MS }));
  return found?.requests.find((request) => request.id === id);
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
