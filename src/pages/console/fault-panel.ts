// The faults that are injected into the environment's responses.
import type { Fault, NewFault } from "../../browser/client/control.js";
import { button, element, find, onPress } from "../docs-page/dom.js";
import { onSubmit } from "./form.js";
import { createPanelStatus } from "./panel-status.js";
import type { Panel } from "./selection.js";

/** A preset without a name here does not compile. */
const PRESETS: Record<NonNullable<NewFault["preset"]>, string> = {
  "second-page-fails": "Second page fails",
  "slow-3g": "Slow 3G",
  "flaky-10-percent": "Flaky: 10 %",
  "rate-limited": "Rate limited",
};

export function createFaultPanel(): Panel {
  const panel = find("section", "#faults");
  const list = find("ul", "[data-list]", panel);
  const form = find("form", "[data-add]", panel);
  const clear = find("button", "[data-do=clear]", panel);
  const effect = find("select", "[name=effect]", form);
  const status = createPanelStatus(panel);
  let items: { id: string; text: HTMLElement }[] = [];

  function load(): void {
    void status.load((control, name) => control.listFaults(name), show);
  }

  /** Keeps the items of the same faults: their buttons may have the focus. */
  function show(faults: Fault[]): void {
    if (faults.map(({ id }) => id).join() !== items.map(({ id }) => id).join()) {
      items = faults.map(({ id }) => ({ id, text: element("span") }));
      list.replaceChildren(
        ...faults.map((fault, index) => element("li", { className: "row" }, items[index]?.text, toRemover(fault))),
      );
    }
    for (const [index, fault] of faults.entries()) items[index]?.text.replaceChildren(toFaultText(fault));
    clear.hidden = faults.length === 0;
    if (faults.length === 0) status.say("None. Add one below to see how your client handles errors.");
  }

  function toRemover(fault: Fault): HTMLButtonElement {
    const remove = () => status.act((control, name) => control.removeFault(name, fault.id), load);
    return button("Remove", remove, { ariaLabel: `Remove the fault: ${toEffectText(fault)}` });
  }

  function add(fault: NewFault): Promise<void> {
    return status.act((control, name) => control.addFault(name, fault), load);
  }

  function showFields(): void {
    for (const field of form.querySelectorAll<HTMLElement>("[data-of]"))
      field.hidden = field.dataset.of !== effect.value;
    find("input", "[name=delayMs]", form).required = effect.value === "delay";
  }

  onPress(clear, () => status.act((control, name) => control.clearFaults(name), load));
  onSubmit<FaultFields>(form, (values) => add(toFault(values)));
  find("div", "[data-presets]", panel).append(
    ...Object.entries(PRESETS).map(([preset, name]) =>
      button(name, () => add({ preset: preset as keyof typeof PRESETS })),
    ),
  );
  effect.addEventListener("change", showFields);
  showFields();
  return load;
}

/** Most fields of the form are members of a fault; the control plane validates them. */
interface FaultFields extends Omit<NewFault, "status" | "sequence" | "when"> {
  effect: string;
  subscriberId?: string;
  workflowId?: string;
  status?: string;
  sequence?: string;
}

function toFault({ effect, status, share, sequence, subscriberId, workflowId, ...members }: FaultFields): NewFault {
  const steps = sequence?.split(",").map((step) => (step.trim() === "ok" ? "ok" : Number(step)));
  const when = { ...(subscriberId ? { subscriberId } : {}), ...(workflowId ? { workflowId } : {}) };
  return {
    ...members,
    ...(subscriberId || workflowId ? { when } : {}),
    ...(effect === "disconnect" ? { disconnect: true } : {}),
    ...(status === undefined ? {} : { status: Number(status) }),
    ...(share === undefined ? {} : { share: share / 100 }),
    ...(steps ? { sequence: steps } : {}),
  };
}

/** `responds with 503: all operations, 10 % of requests, applied 3 times` */
function toFaultText(fault: Fault): string {
  const { preset, operation = "all operations", isUpdate, when, share, skip, count, hits } = fault;
  const parts = [
    `${preset === undefined ? "" : `${preset}: `}${toEffectText(fault)}: ${operation}`,
    isUpdate && "updates only",
    when?.subscriberId !== undefined && `subscriber ${when.subscriberId}`,
    when?.workflowId !== undefined && `workflow ${when.workflowId}`,
    when?.body !== undefined && `body with ${JSON.stringify(when.body)}`,
    share !== undefined && share < 1 && `${Math.round(share * 100)} % of requests`,
    skip !== undefined && `not the first${skip === 1 ? "" : ` ${skip}`}`,
    count !== undefined && `at most ${toTimes(count)}`,
    `applied ${toTimes(hits)}${count !== undefined && hits >= count ? ": used up" : ""}`,
  ];
  return parts.filter((part) => part).join(", ");
}

function toEffectText({ delayMs, maxDelayMs, status, example, sequence, disconnect }: Fault): string {
  const [least = maxDelayMs && 0, most] = [delayMs, maxDelayMs].map((ms) => ms?.toLocaleString("en"));
  const parts = [
    sequence && `responds in turn with ${sequence.join(", ")}`,
    status !== undefined && `responds with ${status}`,
    example !== undefined && `responds with the example ${example}`,
    disconnect && "closes the connection",
    least !== undefined && `delays by ${most === undefined ? least : `${least} to ${most}`} ms`,
  ];
  return parts.filter((part) => part).join(", ");
}

function toTimes(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}
