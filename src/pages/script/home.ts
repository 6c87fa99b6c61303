// The home page's view of the running server, from the control plane. Without access to it, the page goes without.
import type { Environment, LoggedRequest } from "../../browser/client/control.js";
import {
  buildFaultMark,
  buildStatus,
  describeClock,
  formatAge,
  formatReason,
  isNavigation,
  linkToLogged,
  loadControl,
} from "./dashboard.js";
import { buildTime, element, find, occurrence, span } from "./dom.js";
import { formatStart, noteServer, type Readiness } from "./start-command.js";

const REFRESH_MS = 5_000;
const SHOWN = 5;
const LOADED = 50; // navigations are left out of these

export async function startDashboard(section: HTMLElement): Promise<void> {
  const line = find("p", "[role=status]", section);
  const body = find("tbody", "tbody", section);
  let isFilled = false;
  for (;;) {
    const [ready, list, latest] = await Promise.all([
      loadControl<Readiness>("ready"),
      loadControl<{ environments: Environment[] }>("environments"),
      loadControl<{ requests: LoggedRequest[] }>(`requests?limit=${LOADED}&console=false&responseBodies=false`),
    ]);
    noteServer(ready);
    if (ready && list && latest) {
      const shown = latest.requests.filter((request) => !isNavigation(request)).slice(-SHOWN);
      say("soft", describeServer(ready, list.environments));
      body.replaceChildren(...shown.toReversed().map(buildRow));
      isFilled = true;
    } else if (isFilled) say("bad", `The server does not respond. Start it again: ${formatStart()}`);
    section.hidden = !isFilled;
    await new Promise((resolve) => setTimeout(resolve, REFRESH_MS));
    if (document.hidden) await occurrence("visibilitychange");
  }

  /** Once, or a screen reader would repeat it. */
  function say(className: string, text: string): void {
    if (line.textContent !== text) Object.assign(line, { className, textContent: text });
  }
}

/** `Running for 5 min · demo seed, in memory · clock frozen in default · 2 environments · 1 fault` */
function describeServer({ startedAt, seed, dataFolder }: Readiness, environments: readonly Environment[]): string {
  const clocks = environments.map(({ name, clock }) => ({ name, text: describeClock(clock, Date.now()) }));
  const unusual = clocks.find(({ text }) => text !== "running");
  const faults = environments.reduce((sum, environment) => sum + environment.faults, 0);
  return [
    `Running for ${formatAge(startedAt)}`,
    `${seed} seed, ${dataFolder === undefined ? "in memory" : "in a folder"}`,
    unusual && `clock ${unusual.text} in ${unusual.name}`,
    environments.length > 1 && `${environments.length} environments`,
    faults > 0 && `${faults} fault${faults === 1 ? "" : "s"}`,
  ]
    .filter(Boolean)
    .join(" · ");
}

function buildRow(request: LoggedRequest): HTMLTableRowElement {
  const { status, method, target, at, injected } = request;
  const reason = status !== undefined && status >= 400 && formatReason(request);
  const name = `${method} ${target}`;
  return element(
    "tr",
    {},
    element("td", {}, buildStatus(request)),
    element(
      "td",
      {},
      element("a", { href: linkToLogged(request), title: name, className: "cut" }, element("code", {}, name)),
    ),
    element("td", { className: "soft number" }, buildTime(at)),
    (injected || reason) &&
      element(
        "td",
        { className: "cut small", title: reason || "" },
        injected && buildFaultMark(request),
        " ",
        reason && span("bad", reason),
      ),
  );
}
