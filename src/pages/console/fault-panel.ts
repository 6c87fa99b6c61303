// The faults of the environment: a sentence that is a form, switches for what teams try first, and the list.
import type { Control, Fault, LoggedRequest, NewFault } from "../../browser/client/control.js";
import { FAULT_PRESETS } from "../../core/control/fault-presets.js";
import { linkToLogged } from "../script/dashboard.js";
import { button, element, find, keyed, menu, span } from "../script/dom.js";
import type { PaletteItem } from "../script/palette.js";
import { onSubmit } from "./form.js";
import { buildFrame, type Panel, pageData, selected, showToast } from "./panel.js";

/** What teams try first, for the search. */
const ONCE: NewFault = { operation: "listNotifications", status: 503, count: 1 };

/** `actions` are the presets, and the removal of all, for the search. @param open shows the view. */
export function createFaultPanel(open: () => void): Panel & { actions(): PaletteItem[] } {
  const form = buildForm();
  const { panel, runner, empty, showEmpty } = buildFrame("faults", "Faults", []);
  const switches = Object.values(FAULT_PRESETS).map(({ title, effect, rule: fault }) => {
    const press = () => toggle(fault);
    return { title, fault, toggler: button(title, press, { ariaPressed: "false", title: effect }) };
  });
  const presets = element("div", { className: "row", role: "group", ariaLabel: "Presets" });
  presets.append(...switches.map(({ toggler }) => toggler));
  const list = element("ul", { className: "plain", ariaLabel: "Faults" });
  const place = createList(list, (fault) => remove([fault]));
  panel.append(element("div", { className: "body" }, form, presets, list, empty));
  let faults: readonly Fault[] = [];

  function load(): void {
    void runner.load(loadFaults, (loaded) => {
      faults = loaded.faults;
      place(loaded);
      for (const { fault, toggler } of switches) toggler.ariaPressed = String(findAlike(fault).length > 0);
      if (faults.length > 0) showEmpty();
      else showEmpty("Nothing is injected: every request gets its own response.");
    });
  }

  const findAlike = (fault: NewFault) => faults.filter((other) => formatFault(other) === formatFault(fault));

  const add = (fault: NewFault, from?: HTMLFormElement) =>
    runner.act((control, name) => control.addFault(name, fault), load, from);

  /** A press adds it, the next one removes it. */
  function toggle(fault: NewFault): Promise<void> {
    const alike = findAlike(fault);
    return alike.length > 0 ? remove(alike) : add(fault);
  }

  /** Those that were removed while the message is seen come back together. */
  let removed: readonly Fault[] = [];
  const forget = () => {
    removed = [];
  };

  function remove(chosen: readonly Fault[]): Promise<void> {
    return runner.act(
      async (control, name) => {
        for (const { id } of chosen) await control.removeFault(name, id);
      },
      () => {
        load();
        const all = [...removed, ...chosen];
        const undo = () => runner.act((control, name) => restore(all, control, name), load);
        showToast(all.length === 1 ? "The fault is removed." : `${all.length} faults are removed.`, undo, forget);
        removed = all;
      },
    );
  }

  onSubmit<Fields>(form, (fields) => add(parseFault(fields), form));
  return {
    element: panel,
    show: load,
    actions() {
      const toItem = (name: string, run: () => Promise<void>): PaletteItem => {
        const press = () => {
          open();
          void run();
        };
        return { group: "Actions", isTop: true, name, run: press };
      };
      const { control, environment } = selected();
      const removeAll = async () => remove(await control.listFaults(environment.name));
      const presetItems = switches.map(({ title, fault }) => toItem(`Fault: ${title}`, () => add(fault)));
      const removing = environment.faults > 0 ? [toItem("Remove all faults", removeAll)] : [];
      return [...removing, toItem("Fault: the list fails once with 503", () => add(ONCE)), ...presetItems];
    },
  };
}

interface Loaded {
  faults: readonly Fault[];
  /** The latest request that each one applied to, by its id. */
  hits: ReadonlyMap<string | undefined, LoggedRequest>;
}

/** Returns a function that shows faults in a list. */
function createList(list: HTMLElement, remove: (fault: Fault) => Promise<void>): (loaded: Loaded) => void {
  let hits: Loaded["hits"] = new Map();
  function build(fault: Fault): HTMLLIElement {
    const text = formatFault(fault);
    const remover = button("Remove", () => remove(fault), { className: "link", ariaLabel: `Remove: ${text}` });
    return element("li", { className: "row" }, span("sentence", text), span("soft small"), remover);
  }
  function update(item: HTMLLIElement, fault: Fault): void {
    const hit = hits.get(fault.id);
    const use = fault.paused ? "paused" : formatUse(fault);
    const link = hit ? [" · ", element("a", { href: linkToLogged(hit) }, "latest request")] : [];
    find("span", ".small", item).replaceChildren(use, ...link);
  }
  const place = keyed<Fault, HTMLLIElement>(list, ({ id }) => id, build, update);
  return (loaded) => {
    ({ hits } = loaded);
    place(loaded.faults);
  };
}

async function restore(faults: readonly Fault[], control: Control, environment: string): Promise<void> {
  for (const { id: _id, hits: _hits, paused, ...fault } of faults) {
    const { id } = await control.addFault(environment, fault);
    if (paused) await control.updateFault(environment, id, { paused });
  }
}

/** With the latest request that each one applied to. Those that are used up apply no more. */
async function loadFaults(control: Control, environment: string): Promise<Loaded> {
  const faults = (await control.listFaults(environment)).filter((fault) => !isUsedUp(fault));
  if (faults.every(({ hits }) => hits === 0)) return { faults, hits: new Map() };
  const { requests } = await control.listRequests({ environment, limit: MAX_SEARCHED, responseBodies: false });
  return { faults, hits: new Map(requests.map((request) => [request.fault, request])) }; // the last one stays
}

const MAX_SEARCHED = 1000;

interface Fields {
  count?: number;
  /** An operation, or `updates`. */
  requests?: string;
  /** A status, the name of an example, `disconnect`, or `late` and a delay. */
  response?: string;
}

/** `The next [1] [list] get [503]`. */
function buildForm(): HTMLFormElement {
  const { operations, statuses, examples } = pageData;
  const count = element("input", {
    name: "count",
    type: "number",
    min: "1",
    placeholder: "all",
    ariaLabel: "How many",
    defaultValue: "1",
  });
  const named = operations.map(({ id }) => [id, nounOf({ operation: id })] as const);
  const requests = menu([["", nounOf({})], ...named, ["updates", nounOf({ isUpdate: true })]], {
    name: "requests",
    ariaLabel: "Requests",
  });
  requests.value = operations.find(({ id }) => id === "listNotifications")?.id ?? "";
  const response = menu([], { name: "response", ariaLabel: "Response" });
  const group = (label: string, choices: readonly (readonly [string, string])[]) =>
    element("optgroup", { label }, ...choices.map(([value, text]) => element("option", { value }, text)));
  response.append(
    group(
      "an error",
      statuses.map((status) => [status, status]),
    ),
    group("nothing, or late", [
      ["disconnect", "no response"],
      ["late 2000", "their response, 2 s late"],
      ["late 10000", "their response, 10 s late"],
    ]),
    group(
      "an example",
      examples.map((name) => [name, name]),
    ),
  );
  response.value = "503";
  const form = element(
    "form",
    { className: "row fault", autocomplete: "off", ariaLabel: "Add a fault" },
    "The next",
    count,
    requests,
    "get",
    response,
    element("button", { type: "submit" }, "Add"),
  );
  return form;
}

/** Named as its menu's value; the control plane validates the rest. */
function parseFault({ requests, response = "", ...members }: Fields): NewFault {
  const [, delayMs] = /^late (\d+)$/.exec(response) ?? [];
  const effect = delayMs === undefined ? parseEffect(response) : { delayMs: Number(delayMs) };
  if (requests === undefined) return { ...members, ...effect };
  return { ...members, ...(requests === "updates" ? { isUpdate: true } : { operation: requests }), ...effect };
}

function parseEffect(response: string): NewFault {
  if (response === "disconnect") return { disconnect: true };
  return /^\d+$/.test(response) ? { status: Number(response) } : { example: response };
}

/** The requests that a fault matches, then its effect, then which of them it spares. */
export function formatFault(fault: NewFault): string {
  const { skip, count, share = 1, when = {} } = fault;
  const noun = nounOf(fault);
  const requests =
    count === undefined ? `every ${noun}` : count === 1 ? `the next ${noun}` : `the next ${count} ${noun}s`;
  const { subscriberId, workflowId } = when;
  const parts = [
    requests,
    subscriberId !== undefined && `of ${subscriberId}`,
    workflowId !== undefined && `for ${workflowId}`,
    count === undefined || count === 1 ? "gets" : "get",
    formatEffect(fault),
    skip !== undefined && `from its ${formatOrdinal(skip + 1)} request on`,
    share < 1 && `${Math.round(share * 1000) / 10} % of the time`,
  ];
  return parts.filter(Boolean).join(" ");
}

const NOUNS: Readonly<Record<string, string>> = { listNotifications: "list", updatePreferences: "preferences request" };

/** What a fault matches, in the singular. */
function nounOf({ operation, isUpdate }: Pick<NewFault, "operation" | "isUpdate">): string {
  if (isUpdate) return operation === undefined ? "update" : `update by ${operation}`;
  return operation === undefined ? "request" : (NOUNS[operation] ?? `${operation} request`);
}

/** `used 1 of 2`. */
function formatUse({ hits, count }: Fault): string {
  if (hits === 0) return "not used yet";
  return count === undefined ? `used ${formatTimes(hits)}` : `used ${hits} of ${count}`;
}

function isUsedUp({ hits, count }: Fault): boolean {
  return count !== undefined && hits >= count;
}

function formatEffect({ status, example, disconnect, delayMs, maxDelayMs }: NewFault): string {
  const response = disconnect ? "no response" : [status, example].filter((part) => part !== undefined).join(" ");
  if (delayMs === undefined && maxDelayMs === undefined) return response;
  const range =
    maxDelayMs === undefined ? formatMs(delayMs) : `${(delayMs ?? 0).toLocaleString("en")} to ${formatMs(maxDelayMs)}`;
  return response === "" ? `its response ${range} late` : `${response} after ${range}`;
}

const formatMs = (milliseconds = 0) => `${milliseconds.toLocaleString("en")} ms`;

function formatTimes(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}

const ORDINALS = new Intl.PluralRules("en", { type: "ordinal" });
const SUFFIXES: Readonly<Record<string, string>> = { one: "st", two: "nd", few: "rd" };

function formatOrdinal(number: number): string {
  return `${number}${SUFFIXES[ORDINALS.select(number)] ?? "th"}`;
}
