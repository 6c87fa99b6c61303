// The filter of the log. Its fields are parameters of the page's address, too. The server filters.
import type { LoggedRequest, RequestFilter } from "../../browser/client/control.js";
import { isNavigation } from "../script/dashboard.js";
import { find, onPress } from "../script/dom.js";
import { readAddress, valuesOf, writeAddress } from "./form.js";
import { readPageAddress, writePageAddress } from "./navigation.js";
import { selected } from "./panel.js";
import { isFailed, isRejected } from "./request-detail.js";

export const MAX_ROWS = 100; // a search finds older requests
const MAX_COUNT = 1000;

/** The search is `text`, since the feed's is `search`. */
interface Fields {
  text?: string;
  outcome?: string;
  status?: string;
  operation?: NonNullable<RequestFilter["operation"]>;
  /** Everything is also what a person visited, and what this page sent. */
  show?: "all" | "everything";
}

/** The choices of an outcome beside all: which requests count, and how the server finds them. */
const OUTCOMES: Readonly<Record<string, { counts: (request: LoggedRequest) => boolean; filter: RequestFilter }>> = {
  rejected: { counts: isRejected, filter: { rejected: true } },
  failed: { counts: isFailed, filter: { failed: true } },
};

const UNAUTHORIZED = "401";

/** Of all environments: a request with a missing or unknown key is in none. */
export const UNKNOWN_KEYS: RequestFilter = {
  status: Number(UNAUTHORIZED),
  console: false,
  responseBodies: false,
  limit: MAX_ROWS,
};

/** @param change called when the filter changes. */
export function createLogFilter(panel: HTMLElement, change: () => void) {
  const form = find("form", "[data-filter]", panel);
  const reset = find("button", "[data-do=reset]", form);
  const unknown = find("p", "[data-unknown]", panel);
  const unknownText = find("span", "span", unknown);
  const showUnknown = find("button", "[data-do=unknown]", unknown);
  let latestUnknown = 0;
  let dismissed = 0;
  const sorters = [...panel.querySelectorAll<HTMLButtonElement>("[data-order]")];

  function apply(): void {
    writeAddress(form);
    change();
  }

  function read() {
    const { outcome = "", ...fields } = valuesOf<Fields>(form);
    const order = readOrder();
    for (const sorter of sorters) markOrder(sorter, order);
    const { length } = Object.keys(fields);
    reset.disabled = length === 0; // it keeps its place
    find("summary", "summary", form).textContent = length === 0 ? "Filters" : `Filters (${length})`;
    const filter = { ...buildFilter(fields), limit: MAX_COUNT };
    return {
      isEverywhere: fields.show !== undefined,
      isEmpty: length === 0 && outcome === "",
      /** `time`: latest first, or `duration`: slowest first; with `-` reversed. */
      order,
      /** The latest requests of every outcome. */
      filter,
      /** False for a page that a person visited, unless they are wanted. */
      isShown: (request: LoggedRequest) => fields.show === "everything" || !isNavigation(request),
      outcome,
    };
  }

  /**
   * Counts requests by outcome, and returns those of the chosen one. Where there are more than one response has, the
   * server finds what is rare. @param latest of every outcome, latest first.
   */
  async function choose(
    latest: readonly LoggedRequest[],
    { filter, isShown, outcome }: ReturnType<typeof read>,
    list: (filter: RequestFilter) => Promise<readonly LoggedRequest[]>,
  ): Promise<readonly LoggedRequest[]> {
    const isCut = latest.length >= MAX_COUNT;
    let chosen: readonly LoggedRequest[] = [];
    for (const place of form.querySelectorAll<HTMLElement>("[data-count]")) {
      const name = place.dataset.count ?? "";
      const { counts, filter: own } = OUTCOMES[name] ?? { counts: () => true, filter: {} };
      const all = isCut && name !== "" ? await list({ ...filter, ...own }) : latest.filter(counts);
      const shown = all.filter(isShown);
      place.textContent = `${shown.length.toLocaleString("en")}${all.length < MAX_COUNT ? "" : "+"}`;
      if (name === outcome) chosen = shown;
    }
    return chosen;
  }

  /** Requests without a valid key are in no environment, so nobody would look for them here. */
  function countUnknown(requests: readonly LoggedRequest[]): void {
    const counted = requests.filter((request) => request.environment === undefined && !isNavigation(request));
    const { length } = counted;
    latestUnknown = counted[0]?.number ?? 0;
    unknown.hidden = latestUnknown <= dismissed; // of which none is new
    const [subject, verb, object] = length === 1 ? ["request", "is", "it"] : ["requests", "are", "them"];
    const count = requests.length < MAX_ROWS ? length : `${length}+`;
    unknownText.textContent = `${count} ${subject} with a missing or unknown key ${verb} in no environment.`;
    showUnknown.textContent = `Show ${object}`;
  }

  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", apply);
  function clear(): void {
    form.reset();
    apply();
  }
  onPress(reset, clear);
  for (const sorter of sorters) {
    onPress(sorter, () => {
      writePageAddress({ order: chooseOrder(sorter) });
      change();
    });
  }
  onPress(find("button", "[data-do=dismiss]", unknown), () => {
    dismissed = latestUnknown;
    unknown.hidden = true;
  });
  onPress(showUnknown, () => {
    find("select", "[name=status]", form).value = UNAUTHORIZED;
    find("select", "[name=show]", form).value = "all";
    apply();
  });
  return { readAddress: () => readAddress(form), read, clear, choose, countUnknown };
}

function markOrder(sorter: HTMLButtonElement, order: string): void {
  const heading = sorter.closest("th");
  const direction = order.startsWith("-") ? "ascending" : "descending";
  if (heading) heading.ariaSort = sorter.dataset.order === order.replace("-", "") ? direction : null;
}

const readOrder = () => readPageAddress().get("order") ?? "time";

/** A second press reverses the order. */
function chooseOrder({ dataset: { order = "" } }: HTMLButtonElement): string[] {
  return [readOrder() === order ? `-${order}` : order];
}

function buildFilter({ text, status, operation, show }: Fields): RequestFilter {
  return {
    limit: MAX_ROWS,
    responseBodies: false, // the open row loads its own
    ...(text === undefined ? {} : { search: text }),
    ...(status === undefined ? {} : { status: Number(status) }),
    ...(operation === undefined ? {} : { operation }),
    ...(show ? {} : { environment: selected().environment.name }),
    ...(show === "everything" ? {} : { console: false }),
  };
}
