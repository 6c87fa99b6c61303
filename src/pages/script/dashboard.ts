// Words for what the control plane returns, on the pages of a server: a logged request, a clock, the command that
// starts it again.
import type { Clock, Control, LoggedRequest, Violation } from "../../browser/client/control.js";
import { span } from "./dom.js";

/** Undefined if the control plane needs a key, or the server does not respond. */
export async function loadControl<T>(path: string): Promise<T | undefined> {
  const headers = { "x-requested-by": "console" }; // as the console's own, it is not logged
  const response = await fetch(`/_control/${path}`, { headers }).catch(() => undefined);
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

/** True for an address that a person opened, such as a mistyped one. */
export const isNavigation = ({ headers }: LoggedRequest) => /\btext\/html\b/.test(headers.accept ?? "");

export type Readiness = Awaited<ReturnType<Control["getReadiness"]>>;

let known: Readiness | undefined;

/** Keeps what the control plane says of the server, since one that has stopped says no more. */
export function noteServer(server: Readiness | undefined): void {
  known = server ?? known;
}

/** Without its data, if the control plane has never said which it has. */
export function formatStart(server = known): string {
  const { dataFolder, seed = "demo" } = server ?? {};
  const data = dataFolder === undefined ? ["--ephemeral"] : ["--data", dataFolder];
  const options = [
    ...(location.port === "" ? [] : ["--port", location.port]),
    ...(server ? data : []),
    ...(seed === "demo" ? [] : ["--seed", seed]),
  ];
  return ["npx notifications-contract serve", ...options.map(quote)].join(" ");
}

const quote = (text: string) => (/^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
