// The faults of the environment: each a sentence, and a form with all that the control plane takes.
import type { Fault, NewFault } from "../../browser/client/control.js";
import { button, element, find, onPress, span } from "../script/dom.js";
import { isUsedUp, toFaultSentence, toUse } from "./fault-sentence.js";
import { onSubmit, suggestSubscribers, valuesOf } from "./form.js";
import { createPanelStatus, type Panel, selected } from "./panel.js";

const PRESETS: readonly [name: string, fault: NewFault][] = [
  ["Updates fail", { isUpdate: true, status: 503 }],
  ["Second page fails", { preset: "second-page-fails" }],
  ["Slow 3G", { preset: "slow-3g" }],
  ["Flaky: 10 %", { preset: "flaky-10-percent" }],
  ["Rate limited", { preset: "rate-limited" }],
  ["No response", { disconnect: true }],
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
    showPreview(); // a hidden form has no values
    void status.load((control, name) => control.listFaults(name), show);
  }

  /** Keeps the items of the same faults, since their buttons may have the focus. */
  function show(current: Fault[]): void {
    faults = current;
    if (faults.map(({ id }) => id).join() !== items.map(({ id }) => id).join())
      items = faults.map(({ id }) => toItem(id));
    const paused = readPaused().map((fault, index) => toPausedItem(fault, index));
    list.replaceChildren(...items.map((item) => item.element), ...paused);
    for (const [index, fault] of faults.entries()) items[index]?.show(fault);
    clear.hidden = list.childElementCount === 0;
    status.say(list.childElementCount === 0 ? "None: every request gets its own response." : "");
  }

  function showPreview(): void {
    find("p", "[data-preview]", form).textContent = toFaultSentence(toFault(valuesOf<FaultFields>(form)));
  }

  function toItem(id: string): Item {
    const [dot, text, use] = [span("dot"), span("sentence"), span("soft small")];
    const remove = () => status.act((control, name) => control.removeFault(name, id), load);
    const pause = async () => {
      const fault = faults.find((one) => one.id === id);
      if (!fault) return;
      writePaused([...readPaused(), toNewFault(fault)]);
      await remove();
    };
    const parts = [dot, text, use, button("Pause", pause), remover("Remove", remove)];
    return {
      id,
      element: element("li", { className: "row" }, ...parts),
      show(fault) {
        dot.className = `dot ${isUsedUp(fault) ? "soft" : "bad"}`;
        text.textContent = toFaultSentence(fault);
        use.textContent = isUsedUp(fault) ? `${toUse(fault)}: used up` : toUse(fault);
      },
    };
  }

  /** A paused fault is kept by the page, until its tab is closed. */
  function toPausedItem(fault: NewFault, index: number): HTMLLIElement {
    const drop = () => writePaused(readPaused().filter((_fault, place) => place !== index));
    const resume = async () => {
      drop();
      await add(fault);
    };
    const remove = () => {
      drop();
      show(faults);
    };
    const text = span("sentence soft", toFaultSentence(fault));
    const parts = [span("dot paused"), text, span("soft small", "paused"), button("Resume", resume)];
    return element("li", { className: "row" }, ...parts, remover("Remove", remove));
  }

  function add(fault: NewFault): Promise<void> {
    return status.act((control, name) => control.addFault(name, fault), load);
  }

  onPress(clear, () => {
    writePaused([]);
    return status.act((control, name) => control.clearFaults(name), load);
  });
  onSubmit<FaultFields>(form, (values) => add(toFault(values)));
  form.addEventListener("input", showPreview);
  suggestSubscribers(find("input", "[name=subscriberId]", form), panel);
  find("div", "[data-presets]", panel).append(...PRESETS.map(([name, fault]) => button(name, () => add(fault))));
  return load;
}

function remover(text: string, remove: () => Promise<void> | void): HTMLButtonElement {
  return button("×", remove, { ariaLabel: text, title: text });
}

/** Fields without a member of the same name are translated; the control plane validates the rest. */
interface FaultFields extends Pick<NewFault, "delayMs" | "maxDelayMs" | "count" | "skip" | "share" | "seed"> {
  /** An operation, or `updates`. */
  requests?: string;
  subscriberId?: string;
  workflowId?: string;
  /** A status, the name of an example, or `disconnect`. */
  response?: string;
}

function toFault({ requests, subscriberId, workflowId, response, share, ...members }: FaultFields): NewFault {
  const when = { ...(subscriberId && { subscriberId }), ...(workflowId && { workflowId }) };
  return {
    ...members,
    ...toRequests(requests),
    ...toEffect(response),
    ...(Object.keys(when).length > 0 && { when }),
    ...(share !== undefined && { share: share / 100 }),
  };
}

function toRequests(requests: string | undefined): NewFault {
  if (requests === undefined) return {};
  return requests === "updates" ? { isUpdate: true } : { operation: requests };
}

function toEffect(response: string | undefined): NewFault {
  if (response === undefined) return {};
  if (response === "disconnect") return { disconnect: true };
  return /^\d+$/.test(response) ? { status: Number(response) } : { example: response };
}

/** The fault to add again, which begins to count anew. */
function toNewFault({ id: _id, hits: _hits, ...fault }: Fault): NewFault {
  return fault;
}

const toItemName = () => `paused-faults ${selected().environment.name}`;

function readPaused(): NewFault[] {
  return JSON.parse(sessionStorage.getItem(toItemName()) ?? "[]");
}

function writePaused(faults: readonly NewFault[]): void {
  sessionStorage.setItem(toItemName(), JSON.stringify(faults));
}
