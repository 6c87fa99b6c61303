// The home page's view of the running server, from the control plane: since when it runs, its data, clock, faults, last
// requests. Without access to the control plane, the page goes without it.
import type { Control, Environment, LoggedRequest } from "../../browser/client/control.js";
import { element, find, span } from "./dom.js";

const REFRESH_MS = 5_000;
const SHOWN = 9;
const LOADED = 50; // navigations are left out of these

export async function startDashboard(section: HTMLElement): Promise<void> {
  const facts = find("dl", "dl", section);
  const log = find("section", "#last-requests");
  const body = find("tbody", "tbody", log);
  const alarm = find("p", "[role=alert]", log);
  let isFilled = false;
  for (;;) {
    const [ready, list, latest] = await Promise.all([
      loadControl<Readiness>("ready"),
      loadControl<{ environments: Environment[] }>("environments"),
      loadControl<{ requests: LoggedRequest[] }>(`requests?limit=${LOADED}&console=false&responseBodies=false`),
    ]);
    alarm.hidden = !isFilled || latest !== undefined;
    if (ready && list && latest) {
      facts.replaceChildren(...findFacts(ready, list.environments).map(buildFact));
      body.replaceChildren(...buildRows(latest.requests));
      isFilled = true;
    }
    for (const part of [section, log]) part.hidden = !isFilled;
    await Promise.race([new Promise((resolve) => setTimeout(resolve, REFRESH_MS)), occurrence("sent")]);
    if (document.hidden) await occurrence("visibilitychange");
  }
}

const occurrence = (name: string) => new Promise((resolve) => document.addEventListener(name, resolve, { once: true }));

/** Undefined if the control plane needs a key, or the server does not respond. */
export async function loadControl<T>(path: string): Promise<T | undefined> {
  const response = await fetch(`/_control/${path}`).catch(() => undefined);
  return response?.ok ? ((await response.json()) as T) : undefined;
}

type Readiness = Awaited<ReturnType<Control["getReadiness"]>>;
type Fact = readonly [term: string, value: string, note: string, href: string, tone?: string];

function findFacts({ startedAt, seed, dataFolder }: Readiness, environments: readonly Environment[]): Fact[] {
  const [first] = environments;
  const faulty = environments.find((environment) => environment.faults > 0);
  const now = first ? `${first.clock.now.slice(0, 16).replace("T", " ")} UTC` : "";
  return [
    ["Running", formatAge(startedAt), `since ${startedAt.slice(11, 16)} UTC`, "", "good"],
    ["Data", `${seed} seed`, dataFolder === undefined ? "in memory" : "in a folder", "/console#environment"],
    ["Clock", first?.clock.mode ?? "", now, "/console#environment", first?.clock.mode === "frozen" ? "warn" : ""],
    ["Environments", String(environments.length), first?.name ?? "", "/console#environment"],
    faulty
      ? ["Faults", `${faulty.faults} active`, `in ${faulty.name}`, `/console?environment=${faulty.name}#faults`, "warn"]
      : ["Faults", "none", "nothing is injected", "/console#faults"],
  ];
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

/** `1 day 2 h 5 min`. */
export function formatSpan(milliseconds: number): string {
  const minutes = Math.round(milliseconds / 60_000);
  if (minutes < 1) return "under a minute";
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60)];
  const parts = [days > 0 && `${days} day${days === 1 ? "" : "s"}`, hours > 0 && `${hours} h`];
  return [...parts, minutes % 60 > 0 && `${minutes % 60} min`].filter(Boolean).join(" ");
}

function buildRows(requests: readonly LoggedRequest[]): HTMLTableRowElement[] {
  const shown = requests.filter((request) => !isNavigation(request)).slice(-SHOWN);
  if (shown.length === 0)
    return [element("tr", {}, element("td", { className: "soft", colSpan: 4 }, "None yet: send one."))];
  return shown.toReversed().map(({ id, status, method, target, environment, message = "", at }) => {
    const pill = span(`status s${String(status ?? 5)[0]}`, String(status ?? "none"));
    const reason = status !== undefined && status >= 400 ? span("bad small", ` ${message}`) : undefined;
    const place = environment === undefined ? "all=on" : `environment=${encodeURIComponent(environment)}`;
    const name = `${method} ${target}`;
    const href = `/console?${place}&request=${id}#requests`;
    return element(
      "tr",
      {},
      element("td", {}, pill),
      element("td", {}, span("cut", element("a", { href, title: name }, element("code", {}, name)), reason)),
      element("td", { className: "soft" }, span("cut", environment ?? "no valid key")),
      element("td", { className: "soft number" }, element("time", { dateTime: at, title: at }, at.slice(11, 19))),
    );
  });
}

/** True for an address that a person opened, such as a mistyped one. */
export const isNavigation = ({ headers }: LoggedRequest) => /\btext\/html\b/.test(headers.accept ?? "");
