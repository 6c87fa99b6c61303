// The faults of the environment. The form offers the most useful members of a fault; the control plane accepts more.
import type { Fault, NewFault } from "../../browser/client/control.js";
import { button, element, find, onPress } from "../script/dom.js";
import { onSubmit } from "./form.js";
import { createPanelStatus, type Panel } from "./panel.js";

const PRESETS: Record<NonNullable<NewFault["preset"]>, string> = {
  "second-page-fails": "Second page fails",
  "slow-3g": "Slow 3G",
  "flaky-10-percent": "Flaky: 10 %",
  "rate-limited": "Rate limited",
};

export function createFaultPanel(): Panel {
  const panel = find("section", "#faults");
  const list = find("ul", "[data-list]", panel);
  const clear = find("button", "[data-do=clear]", panel);
  const status = createPanelStatus(panel);
  let items: { id: string; text: HTMLElement }[] = [];

  function load(): void {
    void status.load((control, name) => control.listFaults(name), show);
  }

  /** Keeps the items of the same faults, since their buttons may have the focus. */
  function show(faults: Fault[]): void {
    if (faults.map(({ id }) => id).join() !== items.map(({ id }) => id).join()) {
      items = faults.map(({ id }) => ({ id, text: element("span") }));
      const rows = items.map(({ id, text }) => element("li", { className: "row" }, text, toRemover(id)));
      list.replaceChildren(...rows);
    }
    for (const [index, fault] of faults.entries()) items[index]?.text.replaceChildren(...toFaultText(fault));
    clear.hidden = faults.length === 0;
    status.say(faults.length === 0 ? "None. Add one below to see how your client handles errors." : "");
  }

  function toRemover(id: string): HTMLButtonElement {
    const remove = () => status.act((control, name) => control.removeFault(name, id), load);
    return button("Remove", remove, { ariaLabel: `Remove the fault ${id}` });
  }

  function add(fault: NewFault): Promise<void> {
    return status.act((control, name) => control.addFault(name, fault), load);
  }

  onPress(clear, () => status.act((control, name) => control.clearFaults(name), load));
  onSubmit<FaultFields>(find("form", "[data-add]", panel), (values) => add(toFault(values)));
  find("div", "[data-presets]", panel).append(
    ...Object.entries(PRESETS).map(([preset, name]) =>
      button(name, () => add({ preset: preset as keyof typeof PRESETS })),
    ),
  );
  return load;
}

/** All fields but `response` are members of a fault; the control plane validates them. */
interface FaultFields extends Pick<NewFault, "operation" | "delayMs" | "count" | "share"> {
  /** A status, the name of an example, or `disconnect`. */
  response?: string;
}

function toFault({ response, share, ...members }: FaultFields): NewFault {
  return { ...members, ...toEffect(response), ...(share === undefined ? {} : { share: share / 100 }) };
}

function toEffect(response: string | undefined): NewFault {
  if (response === undefined) return {};
  if (response === "disconnect") return { disconnect: true };
  return /^\d+$/.test(response) ? { status: Number(response) } : { example: response };
}

/** The fault as the control plane takes it, and how often it was applied. */
function toFaultText({ id: _id, hits, ...fault }: Fault): (Node | string)[] {
  const times = hits === 1 ? "once" : `${hits} times`;
  const isUsedUp = fault.count !== undefined && hits >= fault.count;
  return [element("code", {}, JSON.stringify(fault)), ` applied ${times}${isUsedUp ? ": used up" : ""}`];
}
