// The faults that are injected into the environment's responses.
import type { Fault, NewFault } from "../client/control.js";
import { loadContractResponses } from "./contract-responses.js";
import { button, element, find, numberOf, onPress, onSubmit, textOf } from "./dom.js";
import { createPanelStatus } from "./panel-status.js";
import { createSelectionHolder, type Panel } from "./selection.js";

export function createFaultPanel(): Panel {
  const panel = find("section", "#faults");
  const list = find("ul", "[data-list]", panel);
  const form = find("form", "[data-add]", panel);
  const clear = find("button", "[data-do=clear]", panel);
  const effect = find("select", "[name=effect]", form);
  const [loading, acting, choosing] = [createPanelStatus(panel), createPanelStatus(panel), createPanelStatus(panel)];
  const selection = createSelectionHolder();
  let shown: { id: string; text: HTMLElement }[] = [];

  const load = () =>
    selection.use(({ control, environment }) => {
      const toItem = ({ fault, text }: { fault: Fault; text: HTMLElement }) => {
        const remove = () => acting.run(() => control.removeFault(environment.name, fault.id), load);
        const label = `Remove the fault: ${toEffectText(fault)}`;
        return element("li", { className: "row" }, text, button("Remove", remove, { ariaLabel: label }));
      };
      return loading.run(
        () => control.listFaults(environment.name),
        (faults) => {
          if (faults.map(({ id }) => id).join() !== shown.map(({ id }) => id).join()) {
            const items = faults.map((fault) => ({ fault, id: fault.id, text: element("span") }));
            list.replaceChildren(...items.map(toItem));
            shown = items;
          }
          for (const [index, fault] of faults.entries()) shown[index]?.text.replaceChildren(toFaultText(fault));
          clear.hidden = faults.length === 0;
          if (faults.length === 0) loading.say("None. Add one below to see how your client handles errors.");
        },
      );
    });

  onPress(clear, () =>
    selection.use(({ control, environment }) => acting.run(() => control.clearFaults(environment.name), load)),
  );
  onSubmit(form, (data) =>
    selection.use(({ control, environment }) =>
      acting.run(() => control.addFault(environment.name, toFault(data)), load),
    ),
  );
  effect.addEventListener("change", () => showFieldsOf(form, effect.value));
  showFieldsOf(form, effect.value);
  void choosing.run(loadContractResponses, ({ operations, statuses, examples }) => {
    for (const [name, values] of Object.entries({ operation: operations, status: statuses, example: examples })) {
      find("select", `[name=${name}]`, form).append(...values.map((value) => element("option", {}, value)));
    }
  });
  return (selected) => {
    selection.set(selected);
    void load();
  };
}

function showFieldsOf(form: HTMLFormElement, effect: string): void {
  for (const field of form.querySelectorAll<HTMLElement>("[data-of]")) field.hidden = field.dataset.of !== effect;
  find("input", "[name=delayMs]", form).required = effect === "delay";
}

function toFault(data: FormData): NewFault {
  const effect = textOf(data, "effect");
  const status = numberOf(data, "status");
  const example = textOf(data, "example");
  const operation = textOf(data, "operation") as NewFault["operation"]; // one of the contract's
  const [delayMs, share, count] = [numberOf(data, "delayMs"), numberOf(data, "share"), numberOf(data, "count")];
  return {
    ...(effect === "status" && status !== undefined ? { status } : {}),
    ...(effect === "example" && example !== undefined ? { example } : {}),
    ...(effect === "disconnect" ? { disconnect: true } : {}),
    ...(effect === "malformed" ? { malformed: true } : {}),
    ...(operation === undefined ? {} : { operation }),
    ...(delayMs === undefined ? {} : { delayMs }),
    ...(share === undefined ? {} : { share: share / 100 }),
    ...(count === undefined ? {} : { count }),
  };
}

function toFaultText(fault: Fault): string {
  const { operation = "both operations", share, skip, count, hits } = fault;
  const parts = [
    `${toEffectText(fault)}: ${operation}`,
    share !== undefined && share < 1 && `${Math.round(share * 100)} % of requests`,
    skip !== undefined && `not the first ${skip}`,
    count !== undefined && `at most ${toTimes(count)}`,
    `applied ${toTimes(hits)}`,
  ];
  return parts.filter((part) => part !== false).join(", ");
}

function toTimes(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}

function toEffectText({ delayMs, maxDelayMs, status, example, sequence, disconnect, malformed }: Fault): string {
  const [least = maxDelayMs && 0, most] = [delayMs, maxDelayMs].map((ms) => ms?.toLocaleString("en"));
  const parts = [
    sequence && `responds in turn with ${sequence.join(", ")}`,
    status !== undefined && `responds with ${status}`,
    example !== undefined && `responds with the example ${example}`,
    disconnect && "closes the connection",
    malformed && "truncates the response",
    least !== undefined && `delays by ${most === undefined ? least : `${least} to ${most}`} ms`,
  ];
  return parts.filter((part) => part).join(", ");
}
