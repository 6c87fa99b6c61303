// The home page's view of the running server, from the control plane: since when it runs, its data, clock, faults, last
// requests. Without access to the control plane, the page goes without it.
import type { Clock, Environment, LoggedRequest, Violation } from "../../browser/client/control.js";
import { copyButton } from "./code-panel.js";
import { buildTime, element, find, occurrence, span } from "./dom.js";
import { formatStart, noteServer, type Readiness } from "./start-command.js";

const REFRESH_MS = 5_000;
const SHOWN = 7;
const LOADED = 50; // navigations are left out of these

export async function startDashboard(section: HTMLElement): Promise<void> {
  const facts = find("dl", "dl", section);
  const log = find("section", "#last-requests");
  const body = find("tbody", "tbody", log);
  const alarm = find("p", "[role=alert]", log);
  let isFilled = false;
  let isOut = false;
  for (;;) {
    const sent = occurrence("sent"); // it may come while this loads
    const [ready, list, latest] = await Promise.all([
      loadControl<Readiness>("ready"),
      loadControl<{ environments: Environment[] }>("environments"),
      loadControl<{ requests: LoggedRequest[] }>(`requests?limit=${LOADED}&console=false&responseBodies=false`),
    ]);
    noteServer(ready);
    if (ready && list && latest) {
      const shown = latest.requests.filter((request) => !isNavigation(request)).slice(-SHOWN);
      const rows = buildRows(shown);
      if (isFilled) markNew(rows, body);
      facts.replaceChildren(...findFacts(ready, list.environments).map(buildFact));
      body.replaceChildren(...rows);
      [isFilled, isOut] = [true, false];
    } else if (isFilled && !isOut) {
      const since = `since ${new Date().toISOString().slice(11, 16)} UTC`;
      facts.firstElementChild?.replaceWith(buildFact(["Running", "no response", since, "", "bad"]));
      alarm.replaceChildren(
        "The server does not respond. Start it again: ",
        element("code", {}, formatStart()),
        copyButton("command"),
      );
      body.querySelector("tr:not([data-request])")?.remove(); // that there are none is not known
      isOut = true;
    }
    alarm.hidden = !isOut;
    for (const part of [section, log]) {
      part.hidden = !isFilled;
      part.classList.toggle("stale", isOut);
    }
    await Promise.race([new Promise((resolve) => setTimeout(resolve, REFRESH_MS)), sent]);
    if (document.hidden) await occurrence("visibilitychange");
  }
}

/** Undefined if the control plane needs a key, or the server does not respond. */
export async function loadControl<T>(path: string): Promise<T | undefined> {
  const response = await fetch(`/_control/${path}`).catch(() => undefined);
  return response?.ok ? ((await response.json()) as T) : undefined;
}

/** `delayed 857 ms by a fault`, or `injected by a fault`. */
export function describeInjection(request: LoggedRequest): string {
  return isDelay(request) ? `delayed ${formatDuration(request)} by a fault` : "injected by a fault";
}

/** In a row, where `fault` says enough unless the response is the usual one. */
export function buildFaultMark(request: LoggedRequest): HTMLElement {
  return span("tag warn", isDelay(request) ? describeInjection(request) : "fault");
}

const isDelay = ({ injected }: LoggedRequest) =>
  injected !== undefined && (injected.status ?? injected.example ?? injected.disconnect) === undefined;

export function formatDuration({ milliseconds }: LoggedRequest): string {
  if (milliseconds === undefined) return "";
  return `${(milliseconds < 10 ? milliseconds : Math.round(milliseconds)).toLocaleString("en")} ms`;
}

type Fact = readonly [term: string, value: string, note: string, href: string, tone?: string];

function findFacts({ startedAt, seed, dataFolder }: Readiness, environments: readonly Environment[]): Fact[] {
  const faulty = environments.filter(({ faults }) => faults > 0);
  const count = faulty.reduce((sum, { faults }) => sum + faults, 0);
  return [
    ["Running", formatAge(startedAt), `since ${startedAt.slice(11, 16)} UTC`, "", "good"],
    ["Data", `${seed} seed`, dataFolder === undefined ? "in memory" : "in a folder", "/console#environment"],
    findClock(environments),
    ["Environments", String(environments.length), listNames(environments), "/console#environment"],
    faulty[0]
      ? [
          "Faults",
          `${count} active`,
          `in ${listNames(faulty)}`,
          `/console?environment=${faulty[0].name}#faults`,
          "warn",
        ]
      : ["Faults", "none", "nothing is injected", "/console#faults"],
  ];
}

/** Of the first environment whose clock is unusual. */
function findClock(environments: readonly Environment[]): Fact {
  const clocks = environments.map(({ name, clock }) => ({
    name,
    now: clock.now,
    text: describeClock(clock, Date.now()),
  }));
  const unusual = clocks.find(({ text }) => text !== "running");
  const { name = "", now = "", text = "" } = unusual ?? clocks[0] ?? {};
  const time = `${now.slice(0, 16).replace("T", " ")} UTC`;
  if (!unusual) return ["Clock", text, time, "/console#environment"];
  const place = environments.length > 1 ? ` in ${name}` : "";
  return ["Clock", text, time + place, `/console?environment=${name}#environment`, "warn"];
}

/** `default, storybook, +2`. */
function listNames(environments: readonly Environment[]): string {
  const names = environments.slice(0, 2).map(({ name }) => name);
  const others = environments.length - names.length;
  return [...names, ...(others > 0 ? [`+${others}`] : [])].join(", ");
}

function buildFact([term, value, note, href, tone = ""]: Fact): HTMLElement {
  const content = href === "" ? span("", value) : element("a", { href }, value);
  const text = element("dd", { className: tone }, content, " ", span("soft small", note));
  return element("div", {}, element("dt", {}, term), text);
}

/** `2 h 5 min`, up to now. */
export function formatAge(instant: string): string {
  return formatSpan(Date.now() - Date.parse(instant));
}

/** `frozen`, `running`, or `running, 7 days ahead` of this machine's clock. @param loadedAt when it showed its time. */
export function describeClock({ mode, now }: Clock, loadedAt: number): string {
  const aheadMs = Date.parse(now) - loadedAt;
  if (mode === "frozen" || Math.abs(aheadMs) < TOLERANCE_MS) return mode;
  return `${mode}, ${formatSpan(Math.abs(aheadMs))} ${aheadMs > 0 ? "ahead" : "behind"}`;
}

/** What a clock shows now. @param loadedAt when it showed its time. */
export function timeOf({ mode, now }: Clock, loadedAt: number): Date {
  return new Date(Date.parse(now) + (mode === "running" ? Date.now() - loadedAt : 0));
}

/** A clock that follows this machine's differs from it by how long the response took. */
const TOLERANCE_MS = 1000;

/** `1 day 2 h 5 min`. */
export function formatSpan(milliseconds: number): string {
  const minutes = Math.round(milliseconds / 60_000);
  if (minutes < 1) return "under a minute";
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60)];
  const parts = [days > 0 && `${days} day${days === 1 ? "" : "s"}`, hours > 0 && `${hours} h`];
  return [...parts, minutes % 60 > 0 && `${minutes % 60} min`].filter(Boolean).join(" ");
}

function buildRows(shown: readonly LoggedRequest[]): HTMLTableRowElement[] {
  const none = "No requests yet. Send one, or copy the curl.";
  if (shown.length === 0) return [element("tr", {}, element("td", { className: "soft" }, none))];
  return shown.toReversed().map((request) => {
    const { id, status, method, target, at, injected } = request;
    const mark = injected && buildFaultMark(request);
    const text = status !== undefined && status >= 400 && formatReason(request);
    const name = `${method} ${target}`;
    const href = linkToLogged(request);
    const row = element(
      "tr",
      {},
      element("td", {}, buildStatus(request)),
      element("td", {}, element("a", { href, title: name, className: "cut" }, element("code", {}, name))),
      element("td", { className: "soft number" }, buildTime(at)),
      (mark || text) &&
        element("td", { className: "cut small", title: text || "" }, mark, " ", text && span("bad", text)),
    );
    row.dataset.request = id;
    return row;
  });
}

/** `limit must be at most 50 · chanels → channels?` */
export function formatReason({ status, injected, violations, message, suggestion }: LoggedRequest): string {
  if (status === undefined)
    return injected?.disconnect ? "connection closed" : "The client disconnected before the response.";
  const reasons = violations.map((violation) => shortenReason(violation));
  return reasons.length > 0 ? reasons.join(" · ") : [message, suggestion].filter(Boolean).join(" ");
}

/** `channels` of `is unknown. Did you mean channels?` */
export const suggestionOf = (message: string) => /Did you mean (\S+)\?/.exec(message)?.[1];

function shortenReason({ location, messages: [message = ""] }: Violation): string {
  const short = (place: string) => place.replace(/^(query|body|path|header)\./, "");
  const wanted = suggestionOf(message);
  return wanted === undefined ? `${short(location)} ${message}` : `${short(location)} → ${wanted}?`;
}

export function buildStatus({ status }: LoggedRequest): HTMLSpanElement {
  return span(`status s${String(status ?? 5)[0]}`, String(status ?? "none"));
}

/** A link to a request of the log, whatever the log's filter is. */
export function linkToLogged({ id, environment }: Pick<LoggedRequest, "id" | "environment">): string {
  const place = environment === undefined ? "show=all" : `environment=${encodeURIComponent(environment)}`;
  return `/console?${place}&request=${id}#requests`;
}

function markNew(rows: readonly HTMLElement[], body: HTMLTableSectionElement): void {
  const known = new Set([...body.rows].map(({ dataset }) => dataset.request));
  for (const row of rows) if (!known.has(row.dataset.request)) row.className = "new";
}

/** True for an address that a person opened, such as a mistyped one. */
export const isNavigation = ({ headers }: LoggedRequest) => /\btext\/html\b/.test(headers.accept ?? "");
