// The faults of the environment: each a sentence, and a form with all that the control plane takes.
import type { Control, Fault, NewFault } from "../../browser/client/control.js";
import { button, element, find, onPress, span } from "../script/dom.js";
import { formatFault, formatUse, isUsedUp } from "./fault-sentence.js";
import { onSubmit, valuesOf } from "./form.js";
import { createPanelStatus, type Panel, selected } from "./panel.js";
import { suggestSubscribers } from "./subscribers.js";
import { showToast } from "./toast.js";

const PRESETS: readonly [name: string, effect: string, fault: NewFault][] = [
  ["Updates fail", "503 for every update; reads work", { isUpdate: true, status: 503 }],
  ["Second page fails", "503 once, for the 2nd list request", { preset: "second-page-fails" }],
  ["Slow 3G", "400 to 2,000 ms late, every request", { preset: "slow-3g" }],
  ["Flaky: 10 %", "503 for 1 request in 10", { preset: "flaky-10-percent" }],
  ["Rate limited", "429 with Retry-After, every request", { preset: "rate-limited" }],
  ["No response", "closes the connection, every request", { disconnect: true }],
];

interface Item {
  id: string;
  element: HTMLLIElement;
  show(fault: Fault): void;
}

export function createFaultPanel(): Panel {
  const panel = find("section", "#faults");
  const list = find("ul", "[data-list]", panel);
  const clear = find("button", "[data-do=clear]", panel);
  const form = find("form", "[data-add]", panel);
  const status = createPanelStatus(panel);
  let items: Item[] = [];
  let faults: Fault[] = [];

  function load(): void {
    showPreview(form); // a hidden form has no values
    void status.load((control, name) => control.listFaults(name), show);
  }

  /** Keeps the items of the same faults, since their buttons may have the focus. */
  function show(current: Fault[]): void {
    faults = current;
    if (faults.map(({ id }) => id).join() !== items.map(({ id }) => id).join())
      items = faults.map(({ id }) => buildItem(id));
    list.replaceChildren(...items.map((item) => item.element));
    for (const [index, fault] of faults.entries()) items[index]?.show(fault);
    clear.hidden = faults.length === 0;
    const active = faults.filter(isActive);
    markPresets(active);
    const { length } = active;
    if (length === 0) status.say("None is active: every request gets its own response.");
    else status.say(length === 1 ? "1 is active." : `${length} are active.`);
  }

  function buildItem(id: string): Item {
    const [state, text, use] = [span("tag"), span("sentence"), span("soft small")];
    const remove = () => status.act((control, name) => control.removeFault(name, id), load);
    let isPaused = false;
    const toggle = button("Pause", () =>
      status.act((control, name) => control.updateFault(name, id, { paused: !isPaused }), load),
    );
    const remover = button("×", remove, { className: "icon", ariaLabel: "Remove", title: "Remove" });
    const item = element("li", {}, state, text, use, toggle, remover);
    return {
      id,
      element: item,
      show(fault) {
        isPaused = fault.paused;
        item.className = `row ${isActive(fault) ? "active" : ""}`;
        state.className = `tag ${isActive(fault) ? "bad" : "soft"}`;
        state.textContent = isActive(fault) ? "active" : isPaused ? "paused" : "used up";
        text.textContent = formatFault(fault);
        use.textContent = formatUse(fault);
        toggle.textContent = isPaused ? "Resume" : "Pause";
        toggle.hidden = isUsedUp(fault);
      },
    };
  }

  function add(fault: NewFault, from?: HTMLFormElement): Promise<void> {
    return status.act((control, name) => control.addFault(name, fault), load, from);
  }

  function removeAll(): Promise<void> {
    const removed = faults;
    const { environment } = selected();
    const restore = async (control: Control) => {
      for (const { id: _id, hits: _hits, paused, ...fault } of removed) {
        const { id } = await control.addFault(environment.name, fault);
        if (paused) await control.updateFault(environment.name, id, { paused });
      }
    };
    return status.act(
      (control, name) => control.clearFaults(name),
      () => {
        load();
        showToast("All faults are removed.", () => status.act(restore, load));
      },
    );
  }

  onPress(clear, removeAll);
  onSubmit<FaultFields>(form, (values) => add(parseFault(values), form));
  form.addEventListener("input", () => showPreview(form));
  suggestSubscribers(find("input", "[name=subscriberId]", form), panel);
  const markPresets = createPresets(find("div", "[data-presets]", panel), add);
  return load;
}

/** Returns a function that marks those among the active faults. */
function createPresets(place: HTMLElement, add: (fault: NewFault) => Promise<void>) {
  const presets = PRESETS.map(([name, effect, fault]) => {
    const mark = element("span", { className: "tag bad", hidden: true }, "active");
    const adder = button(`${name} `, () => add(fault));
    adder.append(mark, span("soft small", effect));
    place.append(adder);
    return { fault, mark };
  });
  return (active: readonly Fault[]): void => {
    for (const { fault, mark } of presets) mark.hidden = !active.some((other) => isLike(other, fault));
  };
}

const isLike = (fault: Fault, preset: NewFault) =>
  preset.preset ? fault.preset === preset.preset : formatFault(fault) === formatFault(preset);

/** A fault without a response needs a delay. */
function showPreview(form: HTMLFormElement): void {
  const delay = find("input", "[name=delayMs]", form);
  delay.required = find("select", "[name=response]", form).value === "";
  if (delay.required) find("details", "[data-more]", form).open = true;
  const fault = parseFault(valuesOf<FaultFields>(form));
  const { delayMs = 0, maxDelayMs = delayMs } = fault;
  const isReversed = maxDelayMs < delayMs;
  const preview = find("p", "[data-preview]", form);
  preview.classList.toggle("bad", isReversed);
  preview.textContent = isReversed ? "“Delay up to” must not be less than “Delay in ms”." : formatFault(fault);
}

const isActive = (fault: Fault) => !fault.paused && !isUsedUp(fault);

/** Fields without a member of the same name are translated; the control plane validates the rest. */
interface FaultFields extends Pick<NewFault, "delayMs" | "maxDelayMs" | "count" | "skip" | "share" | "seed"> {
  /** An operation, or `updates`. */
  requests?: string;
  subscriberId?: string;
  workflowId?: string;
  /** A status, the name of an example, or `disconnect`. */
  response?: string;
}

function parseFault({ requests, subscriberId, workflowId, response, share, ...members }: FaultFields): NewFault {
  const when = { ...(subscriberId && { subscriberId }), ...(workflowId && { workflowId }) };
  return {
    ...members,
    ...parseRequests(requests),
    ...parseEffect(response),
    ...(Object.keys(when).length > 0 && { when }),
    ...(share !== undefined && { share: share / 100 }),
  };
}

function parseRequests(requests: string | undefined): NewFault {
  if (requests === undefined) return {};
  return requests === "updates" ? { isUpdate: true } : { operation: requests };
}

function parseEffect(response: string | undefined): NewFault {
  if (response === undefined) return {};
  if (response === "disconnect") return { disconnect: true };
  return /^\d+$/.test(response) ? { status: Number(response) } : { example: response };
}
