// The live log of requests: long polling while the page is visible, older ones on demand. The server searches and filters.
import type { Control, LoggedRequest, RequestFilter } from "../client/control.js";
import { loadContractResponses } from "./contract-responses.js";
import { element, find, onPress } from "./dom.js";
import { readPageAddress, writePageAddress } from "./page-address.js";
import { createPanelStatus } from "./panel-status.js";
import { isRejected, toRequestCells, toRequestDetail } from "./request-detail.js";
import { createRowTable } from "./row-table.js";
import { createSelectionHolder, type Panel } from "./selection.js";

const WAIT_MS = 25_000;
const BATCH_MS = 200; // under load, requests are shown in batches
const PAGE = 100;
/** Parameters of the page's address. `search` is one of the feed. */
const FIELDS = { search: "text", status: "status", operation: "operation", here: "here", own: "own" } as const;

export function createLogPanel(): Panel {
  const panel = find("section", "#requests");
  const form = find("form", "[data-filter]", panel);
  const older = find("button", "[data-do=older]", panel);
  const [status, choosing] = [createPanelStatus(panel), createPanelStatus(panel)];
  const selection = createSelectionHolder();
  const table = createRowTable<LoggedRequest>(panel, {
    keyOf: ({ number }) => String(number),
    toCells: toRequestCells,
    toDetail: (request) => selection.use((selected) => toRequestDetail(request, selected)) ?? [],
  });
  let following = new AbortController();
  /** Newest first. */
  let shown: LoggedRequest[] = [];
  let latest: number | undefined;
  let environment: string | undefined;

  /** Continues where it was. */
  function follow(): void {
    following.abort();
    following = new AbortController();
    const { signal } = following;
    if (document.hidden) return; // a browser opens few connections to one server
    selection.use((selected) => {
      const filter = toFilter(new FormData(form), selected.environment.name);
      return poll(selected.control, filter, signal).catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
    });
  }

  function restart(): void {
    [shown, latest] = [[], undefined];
    table.show([], false);
    older.hidden = true;
    follow();
  }

  async function poll(control: Control, filter: RequestFilter, signal: AbortSignal): Promise<void> {
    if (latest === undefined) {
      const first = await control.listRequests({ ...filter, limit: PAGE }, { signal });
      show(first.requests.reverse(), first.requests.length === PAGE, false);
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
    const isFiltered = Object.values(Object.fromEntries(new FormData(form))).some((value) => value !== "");
    const empty = isFiltered
      ? "No request matches."
      : "No requests yet. Point your client at this server with an API key.";
    const count = `${shown.length} shown, ${shown.filter(isRejected).length} rejected.`;
    status.say(shown.length > 0 ? count : empty);
  }

  onPress(older, () =>
    selection.use(({ control, environment }) => {
      const filter = toFilter(new FormData(form), environment.name);
      return status.run(
        () => control.listRequests({ ...filter, before: shown.at(-1)?.number ?? 1, limit: PAGE }),
        ({ requests }) => show([...shown, ...requests.reverse()], requests.length === PAGE, false),
      );
    }),
  );
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", () => {
    const data = new FormData(form);
    const toValues = (name: string) => [String(data.get(name) ?? "")].filter((value) => value !== "");
    writePageAddress(Object.fromEntries(Object.entries(FIELDS).map(([name, key]) => [key, toValues(name)])));
    restart();
  });
  onPress(find("button", "[data-do=clear]", panel), () =>
    selection.use(({ control, environment }) => {
      const scope = new FormData(form).has("here") ? environment.name : undefined;
      return status.run(() => control.clearRequests(scope), restart);
    }),
  );
  document.addEventListener("visibilitychange", follow);
  void choosing.run(loadContractResponses, ({ operations, statuses }) => {
    for (const [name, values] of Object.entries({ operation: operations, status: ["200", ...statuses] })) {
      find("select", `[name=${name}]`, form).append(...values.map((value) => element("option", { value }, value)));
    }
    fill(form);
    restart();
  });
  return (selected, isNew) => {
    const isFirst = environment === undefined;
    const hasMoved = environment !== selected.environment.name;
    environment = selected.environment.name;
    selection.set(selected);
    if (isFirst || (hasMoved && new FormData(form).has("here"))) restart();
    else if (isNew) follow();
  };
}

/** Fills the form from the address. */
function fill(form: HTMLFormElement): void {
  const address = readPageAddress();
  for (const [name, key] of Object.entries(FIELDS)) {
    const field = form.elements.namedItem(name) as HTMLInputElement | HTMLSelectElement;
    if (field.type === "checkbox") (field as HTMLInputElement).checked = address.has(key);
    else field.value = address.get(key) ?? "";
  }
}

function toFilter(data: FormData, environment: string): RequestFilter {
  const text = (name: string) => String(data.get(name) ?? "").trim();
  const [search, status, operation] = [text("search"), text("status"), text("operation")];
  return {
    ...(search === "" ? {} : { search }),
    ...(status === "" ? {} : status === "rejected" ? { rejected: true } : { status: Number(status) }),
    ...(operation === "" ? {} : { operation: operation as NonNullable<RequestFilter["operation"]> }), // of the contract
    ...(data.has("here") ? { environment } : {}),
    ...(data.has("own") ? {} : { console: false }),
  };
}
