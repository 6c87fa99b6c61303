// The live log: a row a request with what it changed or why it was rejected. Two rows that are marked are compared line
// by line.
import type { LoggedRequest } from "../../browser/client/control.js";
import { parseJson } from "../../contract/json.js";
import type { RequestSpec } from "../../contract/request.js";
import { snippet } from "../script/code-panel.js";
import { buildStatus } from "../script/dashboard.js";
import { ask, button, element, find, menu, segments, span } from "../script/dom.js";
import { readAddress, readForm, writeAddress } from "./form.js";
import { buildFrame, formatApiCurl, isNetworkError, type Panel, selected } from "./panel.js";
import { buildRequestCells, buildRequestDetail, decode } from "./request-detail.js";
import { closeJson, describeCut, isFailed, isRejected, type RequestLog } from "./request-log.js";
import { buildSender } from "./request-sender.js";
import { createRowTable } from "./row-table.js";

const LOGGED_MS = 300; // a request is logged a moment after its response

interface Fields {
  /** The search: `text`, since the feed's parameters are the API's. */
  text?: string;
  outcome?: string;
  show?: "all";
}

const OUTCOMES: Readonly<Record<string, (request: LoggedRequest) => boolean>> = {
  "": () => true,
  rejected: isRejected,
  failed: isFailed,
};

interface LogEvents {
  /** Reads the log of the environment, or of all of them. */
  follow(isEverywhere: boolean): void;
  cleared(): void;
}

/** Without a log, it is loaded. */
export function createLogPanel(on: LogEvents): Panel & { showLog(log: RequestLog | undefined): void } {
  const form = buildFilter();
  const places = find("select", "select", form);
  const { panel, runner, empty, showEmpty } = buildFrame("requests", "Requests", [form, button("Clear log", clearLog)]);
  const marks = createMarks(panel, (ids) => {
    const numberOf = (id: string) => log?.requests.find((request) => request.id === id)?.number ?? 0;
    table.go(ids.toSorted((one, other) => numberOf(one) - numberOf(other)));
  });
  const table = createRowTable<LoggedRequest>({
    names: ["Requests", "Request"],
    parameter: "request",
    idOf: ({ id }) => id,
    keyOf: ({ number, status: code }) => `${number} ${code}`,
    timeOf: ({ at }) => at,
    toCells: (request) => buildRequestCells(request, () => marks.toggle(request.id)),
    findUnlisted: loadOne,
    missing: "It is no longer in the log, which was cleared, or later requests have taken its place.",
    async toDetail(requests) {
      const [first, second] = await Promise.all(requests.map(async (one) => (await loadOne(one.id)) ?? one));
      if (first && second) return buildComparison(first, second);
      return first ? buildRequestDetail(first, buildSender(first, first.id === edited, send)) : [];
    },
  });
  const rows = element("div", { className: "body" }, empty, table.table);
  panel.append(element("div", { className: "split" }, rows, table.detail));
  let log: RequestLog | undefined;
  /** The id of the request that was sent from the form, which stays open. */
  let edited: string | undefined;

  function showRows(): void {
    const { text = "", outcome = "" } = readForm<Fields>(form);
    const words = text.toLowerCase().split(/\s+/);
    const requests = log?.requests ?? [];
    const found = requests.filter((request) => words.every((word) => textOf(request).includes(word)));
    for (const [name, isChosen] of Object.entries(OUTCOMES)) {
      find("span", `[data-count="${name}"]`, form).textContent = found.filter(isChosen).length.toLocaleString("en");
    }
    const chosen = found.filter(OUTCOMES[outcome] ?? (() => true));
    table.show(chosen);
    marks.show();
    showEmpty();
    if (log) explain(log, { isEmpty: chosen.length === 0, isAll: text === "" && outcome === "" });
  }

  function explain({ dropped, error }: RequestLog, { isEmpty, isAll }: { isEmpty: boolean; isAll: boolean }): void {
    runner.say(error || (dropped > 0 && isAll ? `${dropped.toLocaleString("en")} older no longer in the log` : ""));
    if (!isEmpty || error !== "") return;
    if (!isAll) showEmpty("No request matches.", button("Show all", showAll));
    else showEmpty("No requests yet.", snippet("Send one", formatApiCurl("GET", "/v1/notifications?limit=2")));
  }

  function showAll(): void {
    form.reset();
    apply();
  }

  function apply(): void {
    writeAddress(form);
    showRows();
  }

  /** Sends a request as a front-end would, so that faults apply to it, and opens its row. */
  function send(spec: RequestSpec, isEdited: boolean): Promise<void> {
    return runner.act(
      () => fetch(spec.target, spec),
      ({ headers }) => {
        const id = headers.get("x-request-id") ?? "";
        edited = isEdited ? id : undefined;
        table.go([id]); // whether the list has it or not
      },
    );
  }

  async function clearLog(): Promise<void> {
    const name = places.value === "" ? selected().environment.name : undefined;
    const question = `Clear the log of ${name ?? "all environments"}?`;
    if (!(await ask(question, [{ value: "clear", text: "Clear" }]))) return;
    await runner.act((control) => control.clearRequests(name), on.cleared);
  }

  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", ({ target }) => {
    apply();
    if (target === places) on.follow(places.value !== "");
  });
  return {
    element: panel,
    showLog(latest) {
      log = latest;
      if (!panel.hidden) showRows();
    },
    show(isNew) {
      if (isNew) readAddress(form);
      showRows();
    },
  };
}

function buildFilter(): HTMLFormElement {
  const outcomes = segments("Outcome", "outcome", [
    ["", "All ", buildCount("")],
    ["rejected", "Rejected ", buildCount("rejected")],
    ["failed", "Failed ", buildCount("failed")],
  ]);
  const search = element("input", { type: "search", name: "text", ariaLabel: "Search", placeholder: "Search …" });
  search.dataset.search = ""; // `/` enters it, in the place of the palette
  const choices = [
    ["", "this environment"],
    ["all", "all environments"],
  ] as const;
  const places = menu(choices, { name: "show", ariaLabel: "Show" });
  return element("form", { className: "row", autocomplete: "off" }, outcomes, search, places);
}

/** Rows that are marked by their box, or by `x`. @param compare called with the second one. */
function createMarks(panel: HTMLElement, compare: (ids: readonly string[]) => void) {
  let marked: string[] = [];
  function show(): void {
    for (const box of panel.querySelectorAll<HTMLInputElement>("tbody [type=checkbox]"))
      box.checked = marked.includes(box.closest("tr")?.dataset.id ?? "");
    panel.classList.toggle("marking", marked.length > 0);
  }
  function toggle(id: string): void {
    const both = marked.includes(id) ? marked.filter((other) => other !== id) : [...marked, id];
    marked = both.length < 2 ? both : [];
    show();
    if (both.length === 2) compare(both);
  }
  panel.addEventListener("keydown", ({ key, target, ctrlKey, metaKey }) => {
    const row = (target as Element).closest<HTMLElement>("tbody tr");
    if (key === "x" && row?.dataset.id && !ctrlKey && !metaKey) toggle(row.dataset.id);
  });
  return { show, toggle };
}

function buildCount(outcome: string): HTMLElement {
  const count = span("");
  count.dataset.count = outcome;
  return count;
}

/** What the search finds a request by. */
function textOf({ id, method, target, body = "", headers, status, message = "" }: LoggedRequest): string {
  return [id, method, target, decode(target), body, ...Object.values(headers), status, message]
    .join("\n")
    .toLowerCase();
}

/** With the body of its response; undefined if the server has dropped it. */
async function loadOne(id: string): Promise<LoggedRequest | undefined> {
  try {
    const { requests } = await selected().control.listRequests({ search: id, waitMs: LOGGED_MS });
    return requests.find((request) => request.id === id);
  } catch (error) {
    if (isNetworkError(error)) return undefined; // main.ts reports the outage
    throw error;
  }
}

/** @param earlier the one that was received first. */
function buildComparison(earlier: LoggedRequest, later: LoggedRequest): HTMLElement[] {
  const lines = diffLines(formatExchange(earlier), formatExchange(later));
  const isSame = lines.every(([sign]) => sign === " ");
  const name = (request: LoggedRequest) => [buildStatus(request), ` ${request.at.slice(11, 19)}`];
  const legend = isSame ? "They are the same, line by line." : "− only the first has it, + only the second.";
  const code = element(
    "pre",
    { className: "compare", tabIndex: 0, role: "group", ariaLabel: "Differences" },
    ...foldSame(lines),
  );
  return [
    element("h3", {}, ...name(earlier), " → ", ...name(later)),
    element("p", { className: "soft small" }, legend),
    element("div", { className: "panel" }, code),
  ];
}

/** What was sent and what came back, without what is of each request alone. */
function formatExchange(request: LoggedRequest): string[] {
  const { method, target, headers, body, status, responseBody = "" } = request;
  const sent = Object.entries(headers).filter(([name]) => SHOWN_HEADERS.has(name));
  return [
    `${method} ${decode(target)}`,
    ...sent.map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : formatBody(body, describeCut(request, "request"))),
    `→ ${status ?? "no response"}`,
    ...formatBody(responseBody, describeCut(request, "response")),
  ];
}

const SHOWN_HEADERS = new Set(["authorization", "content-type", "idempotency-key", "prefer", "accept"]);

function formatBody(body: string, cut: string): string[] {
  if (body === "") return [];
  const value = parseJson(cut === "" ? body : closeJson(body));
  const text = value === undefined ? body : JSON.stringify(value, null, 2);
  return [...text.split("\n"), ...(cut === "" ? [] : [cut])];
}

type Line = [sign: " " | "−" | "+", text: string];

/** The longest common lines stay; the table of lengths is small, since the log cuts bodies. */
export function diffLines(before: readonly string[], after: readonly string[]): Line[] {
  const lengths = before.map(() => new Array<number>(after.length).fill(0));
  const lengthAt = (i: number, j: number) => lengths[i]?.[j] ?? 0;
  for (let i = before.length - 1; i >= 0; i -= 1)
    for (let j = after.length - 1; j >= 0; j -= 1) {
      const length =
        before[i] === after[j] ? lengthAt(i + 1, j + 1) + 1 : Math.max(lengthAt(i + 1, j), lengthAt(i, j + 1));
      lengths[i]?.splice(j, 1, length);
    }
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    const [old = "", fresh = ""] = [before[i], after[j]];
    if (i < before.length && j < after.length && old === fresh) {
      lines.push([" ", old]);
      [i, j] = [i + 1, j + 1];
    } else if (i < before.length && (j >= after.length || lengthAt(i + 1, j) >= lengthAt(i, j + 1))) {
      lines.push(["−", old]);
      i += 1;
    } else {
      lines.push(["+", fresh]);
      j += 1;
    }
  }
  return lines;
}

const BESIDE = 3;

/** Equal lines far from a difference are left out. */
function foldSame(lines: readonly Line[]): HTMLElement[] {
  const isNear = (index: number) =>
    lines.slice(Math.max(0, index - BESIDE), index + BESIDE + 1).some(([sign]) => sign !== " ");
  return lines.flatMap(([sign, text], index) => {
    if (isNear(index)) return [buildLine(sign, text)];
    return index === 0 || isNear(index - 1) ? [span("soft", "⋯")] : [];
  });
}

function buildLine(sign: Line[0], text: string): HTMLElement {
  const name = sign === "+" ? "ins" : sign === "−" ? "del" : "span";
  return element(name, {}, `${sign} ${text}`);
}
