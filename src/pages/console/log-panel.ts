// The live log of requests: long polling while the page is visible, older ones on demand. The server searches and filters.
import type { LoggedRequest, RequestFilter } from "../../browser/client/control.js";
import { button, find, onPress, showEmpty, span } from "../docs-page/dom.js";
import { readAddress, valuesOf, writeAddress } from "./form.js";
import { createPanelStatus, isNetworkError, toMessage } from "./panel-status.js";
import { isFailed, isRejected, toRequestCells, toRequestDetail } from "./request-detail.js";
import { createRowTable } from "./row-table.js";
import { type Panel, selected } from "./selection.js";

const WAIT_MS = 25_000;
const BATCH_MS = 200; // under load, requests are shown in batches
const PAGE = { limit: 100, responseBodies: false }; // the pane beside the rows loads its own

/** Filters that stand beside statuses in the list. */
const GROUPS: Record<string, RequestFilter> = { rejected: { rejected: true }, failed: { failed: true } };

/** The form's fields, and the parameters of the page's address. `search` is one of the feed. */
interface Fields {
  text?: string;
  status?: string;
  operation?: NonNullable<RequestFilter["operation"]>;
  all?: true;
  own?: true;
}

export function createLogPanel(): Panel {
  const panel = find("section", "#requests");
  const form = find("form", "[data-filter]", panel);
  const older = find("button", "[data-do=older]", panel);
  const status = createPanelStatus(panel);
  const table = createRowTable<LoggedRequest>(panel, {
    keyOf: ({ number }) => String(number),
    toCells: toRequestCells,
    toDetail: async (request) => toRequestDetail(await loadWhole(request)),
  });
  let following = new AbortController();
  /** Newest first. */
  let shown: LoggedRequest[] = [];
  let latest: number | undefined;
  let environment: string | undefined;
  /** How often the list has been started again. */
  let restarts = 0;

  /** Continues where it was. */
  function follow(): void {
    following.abort();
    following = new AbortController();
    const { signal } = following;
    if (document.hidden || environment === undefined) return; // a browser opens few connections to one server
    poll(toFilter(), signal).catch((error: unknown) => {
      if (signal.aborted) return;
      latest = undefined; // a server that comes back counts anew
      if (isNetworkError(error)) return; // the page says that the server is gone, and shows its panels again
      status.say(span("bad", toMessage(error)), " ", button("Try again", follow));
    });
  }

  function restart(): void {
    restarts += 1;
    [shown, latest] = [[], undefined];
    follow();
  }

  async function poll(filter: RequestFilter, signal: AbortSignal): Promise<void> {
    const { control } = selected();
    if (latest === undefined) {
      const first = await control.listRequests(filter, { signal });
      show(first.requests.reverse(), first.requests.length === PAGE.limit, false);
      latest = first.latest;
    }
    for (;;) {
      const after: number = latest;
      const { requests, latest: last } = await control.listRequests({ ...filter, after, waitMs: WAIT_MS }, { signal });
      latest = requests.at(-1)?.number ?? Math.max(after, last); // a response may not contain all of them
      if (last < after) return restart(); // the server is another one
      if (requests.length === 0) continue;
      show([...requests.reverse(), ...shown], !older.hidden, true);
      await new Promise((resolve) => setTimeout(resolve, BATCH_MS));
    }
  }

  function show(requests: LoggedRequest[], hasOlder: boolean, isUpdate: boolean): void {
    shown = requests;
    table.show(shown, isUpdate);
    older.hidden = !hasOlder;
    panel.classList.toggle("everywhere", valuesOf<Fields>(form).all === true);
    if (shown.length > 0) showEmpty(panel);
    else showEmpty(panel, ...toEmptyText());
    const failed = shown.filter(isFailed).length;
    const count = `${shown.length} shown, ${shown.filter(isRejected).length} rejected${failed > 0 ? `, ${failed} failed` : ""}.`;
    status.say(...(shown.length > 0 ? [count] : []));
  }

  function toEmptyText(): [text: string, ...actions: HTMLElement[]] {
    const { all, ...filter } = valuesOf<Fields>(form);
    if (Object.keys(filter).length > 0) return ["No request matches the filter.", button("Clear filter", clearFilter)];
    if (all) return ["No requests yet. Point your client at this server with an API key."];
    const text = "No requests to this environment yet. Those without a valid key belong to none.";
    const box = find("input", "[name=all]", form);
    return [text, button("Show all environments", () => box.click())];
  }

  function toFilter(): RequestFilter {
    const { text, status, operation, all, own } = valuesOf<Fields>(form);
    return {
      ...PAGE,
      ...(text === undefined ? {} : { search: text }),
      ...(status === undefined ? {} : (GROUPS[status] ?? { status: Number(status) })),
      ...(operation === undefined ? {} : { operation }),
      ...(all ? {} : { environment: selected().environment.name }),
      ...(own ? {} : { console: false }),
    };
  }

  onPress(older, () => {
    const [before, own] = [shown.at(-1)?.number ?? 1, restarts];
    return status.act(
      (control) => control.listRequests({ ...toFilter(), before }),
      ({ requests }) => {
        if (own === restarts) show([...shown, ...requests.reverse()], requests.length === PAGE.limit, false);
      },
    );
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  function applyFilter(): void {
    writeAddress(form);
    restart();
  }
  function clearFilter(): void {
    form.reset();
    applyFilter();
  }
  form.addEventListener("input", applyFilter);
  onPress(find("button", "[data-do=clear]", panel), () => {
    const { environment: scope } = toFilter();
    return status.act((control) => control.clearRequests(scope), restart);
  });
  document.addEventListener("visibilitychange", follow);
  readAddress(form);
  return (isNew) => {
    const isOther = environment !== selected().environment.name;
    const isElsewhere = isOther && !valuesOf<Fields>(form).all;
    environment = selected().environment.name;
    if (isElsewhere) {
      table.close();
      restart();
    } else if (isNew) follow();
  };
}

/** With the response's body, as long as the server has it. */
async function loadWhole(request: LoggedRequest): Promise<LoggedRequest> {
  const range = { after: request.number - 1, before: request.number + 1 };
  const { requests } = await selected().control.listRequests(range);
  return requests[0] ?? request;
}
