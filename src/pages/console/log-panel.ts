// The live log: the latest requests that match a filter, by long polling while the page is visible. The server filters.
import type { Control, LoggedRequest, RequestFilter } from "../../browser/client/control.js";
import { snippet } from "../script/code-panel.js";
import { isNavigation } from "../script/dashboard.js";
import { find, onPress, showEmpty } from "../script/dom.js";
import { readAddress, valuesOf, writeAddress } from "./form.js";
import { formatApiCurl } from "./keys.js";
import { readPageAddress, writePageAddress } from "./navigation.js";
import { createPanelStatus, isNetworkError, messageOf, type Panel, selected } from "./panel.js";
import { buildRequestCells, buildRequestDetail, isFailed, isRejected } from "./request-detail.js";
import { createRowTable } from "./row-table.js";

const WAIT_MS = 25_000;
const BATCH_MS = 200; // under load, requests are shown in batches
const MAX_ROWS = 100; // a search finds older requests
const MAX_COUNT = 1000;

const NONE = "No requests to this environment yet. Those without a valid key are under “All environments”.";

/** Of all environments. */
const REJECTED: RequestFilter = { rejected: true, console: false, responseBodies: false, limit: MAX_ROWS };

/** The choices of an outcome: which requests count, and how the server finds them. */
const OUTCOMES: Readonly<Record<string, { counts: (request: LoggedRequest) => boolean; filter: RequestFilter }>> = {
  rejected: { counts: isRejected, filter: { rejected: true } },
  failed: { counts: isFailed, filter: { failed: true } },
};

/** The form's fields, which are parameters of the page's address, too. The search is `text`, since the feed's is `search`. */
interface Fields {
  text?: string;
  outcome?: string;
  status?: string;
  operation?: NonNullable<RequestFilter["operation"]>;
  all?: true;
  own?: true;
}

/** @param cleared called when requests were removed from the log. */
export function createLogPanel(cleared: () => void): Panel {
  const panel = find("section", "#requests");
  const form = find("form", "[data-filter]", panel);
  const unknown = find("button", "[data-do=unknown]", panel);
  const status = createPanelStatus(panel);
  const table = createRowTable<LoggedRequest>(panel, {
    keyOf: ({ number }) => String(number),
    timeOf: ({ at }) => at,
    toCells: buildRequestCells,
    toDetail: async (request) => buildRequestDetail(await loadWhole(request)),
  });
  let following = new AbortController();
  let environment: string | undefined;

  function follow(): void {
    following.abort();
    following = new AbortController();
    const { signal } = following;
    if (document.hidden || environment === undefined) return; // browsers limit the connections to one server
    const fields = valuesOf<Fields>(form);
    panel.classList.toggle("everywhere", fields.all === true);
    const { control } = selected();
    const filter = buildFilter(fields);
    const outcome = OUTCOMES[fields.outcome ?? ""];
    const report = (error: unknown) => {
      if (!signal.aborted && !isNetworkError(error)) status.say(messageOf(error)); // main.ts reports an outage, and reloads the panel
    };
    unknown.hidden = true;
    if (!fields.all) followRequests(control, REJECTED, signal, showUnknown).catch(report);
    followRequests(control, { ...filter, limit: MAX_COUNT }, signal, async (requests, dropped) => {
      showCounts(requests);
      const found = outcome && (await control.listRequests({ ...filter, ...outcome.filter }, { signal }));
      show(found?.requests.reverse() ?? requests.slice(0, MAX_ROWS), dropped);
    }).catch(report);
  }

  /** Requests without a valid key are in no environment, so nobody would look for them here. */
  function showUnknown(requests: readonly LoggedRequest[]): void {
    const { length } = requests.filter((request) => request.environment === undefined && !isNavigation(request));
    unknown.hidden = length === 0;
    unknown.textContent = `Show ${length} request${length === 1 ? "" : "s"} with an unknown key`;
  }

  /** Counts the latest requests by outcome, whichever is chosen. */
  function showCounts(requests: readonly LoggedRequest[]): void {
    const more = requests.length < MAX_COUNT ? "" : "+";
    for (const place of panel.querySelectorAll<HTMLElement>("[data-count]")) {
      const counts = OUTCOMES[place.dataset.count ?? ""]?.counts ?? (() => true);
      place.textContent = `${requests.filter(counts).length}${more}`;
    }
  }

  function show(requests: readonly LoggedRequest[], dropped: number): void {
    table.show(requests);
    const isFiltered = Object.keys(valuesOf<Fields>(form)).length > 0;
    if (requests.length > 0) showEmpty(panel);
    else if (isFiltered) showEmpty(panel, "No request matches the filter.");
    else showEmpty(panel, NONE, snippet("Send one", formatApiCurl("GET", "/v1/notifications?limit=2")));
    openWanted();
    status.say(dropped > 0 ? `${dropped} older no longer in the log` : "");
  }

  /** The request that a link of the home page names; once, since the user may close it. */
  function openWanted(): void {
    const wanted = readPageAddress().get("request");
    if (wanted === null) return;
    writePageAddress({ request: [] });
    table.openKey(wanted);
  }

  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", () => {
    writeAddress(form);
    follow();
  });
  onPress(unknown, () => find("input", "[name=all]", form).click());
  onPress(find("button", "[data-do=clear]", panel), () => {
    const scope = buildFilter(valuesOf<Fields>(form)).environment;
    return status.act(
      (control) => control.clearRequests(scope),
      () => {
        follow();
        cleared();
      },
    );
  });
  document.addEventListener("visibilitychange", follow);
  readAddress(form);
  return (isNew) => {
    const { name } = selected().environment;
    if (environment !== name) table.close();
    environment = name;
    if (isNew) follow();
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

function buildFilter({ text, status, operation, all, own }: Fields): RequestFilter {
  return {
    limit: MAX_ROWS,
    responseBodies: false, // the open row loads its own
    ...(text === undefined ? {} : { search: text }),
    ...(status === undefined ? {} : { status: Number(status) }),
    ...(operation === undefined ? {} : { operation }),
    ...(all ? {} : { environment: selected().environment.name }),
    ...(own ? {} : { console: false }),
  };
}

/** Loads a request with its response's body, unless the server has dropped it, or is gone. */
async function loadWhole(request: LoggedRequest): Promise<LoggedRequest> {
  const range = { after: request.number - 1, before: request.number + 1 };
  try {
    const { requests } = await selected().control.listRequests(range);
    return requests[0] ?? request;
  } catch (error) {
    if (isNetworkError(error)) return request; // main.ts reports the outage
    throw error;
  }
}
