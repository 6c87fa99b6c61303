// Faults of the environment that is shown: what goes wrong on purpose.
import type { Fault, NewFault } from "../client/control.js";
import type { Chosen, Panel } from "./chosen.js";
import { loadAnswers } from "./contract-answers.js";
import { button, element, find, numberOf, onPress, onSubmit, textOf } from "./dom.js";
import { createTask } from "./task.js";

export function createFaultPanel(): Panel {
  const panel = find("section", "#faults");
  const list = find("ul", "[data-list]", panel);
  const form = find("form", "[data-add]", panel);
  const clear = find("button", "[data-do=clear]", panel);
  const effect = find("select", "[name=effect]", form);
  const [loading, acting, offering] = [createTask(panel), createTask(panel), createTask(panel)];
  let chosen: Chosen | undefined;
  let shown: { fault: Fault; text: HTMLElement; item: HTMLElement }[] = [];

  function load(): void {
    if (!chosen) return;
    const { control, environment } = chosen;
    const toItem = (fault: Fault) => {
      const remove = () => acting.run(() => control.removeFault(environment.name, fault.id), load);
      const text = element("span", {}, toFaultText(fault));
      const label = `Remove the fault that ${toEffect(fault)}`;
      return {
        fault,
        text,
        item: element("li", { className: "row" }, text, button("Remove", remove, { ariaLabel: label })),
      };
    };
    void loading.run(
      () => control.listFaults(environment.name),
      (faults) => {
        const isSame = faults.map(({ id }) => id).join() === shown.map(({ fault }) => fault.id).join();
        if (isSame)
          for (const [index, { text }] of shown.entries()) text.textContent = toFaultText(faults[index] as Fault);
        else {
          shown = faults.map(toItem);
          list.replaceChildren(...shown.map(({ item }) => item));
        }
        clear.hidden = faults.length === 0;
        if (faults.length === 0) loading.say("None: every request goes as the contract says.");
      },
    );
  }

  onPress(clear, () => {
    if (!chosen) return;
    const { control, environment } = chosen;
    return acting.run(() => control.clearFaults(environment.name), load);
  });
  onSubmit(form, (data) => {
    if (!chosen) return;
    const { control, environment } = chosen;
    return acting.run(() => control.addFault(environment.name, toFault(data)), load);
  });
  effect.addEventListener("change", () => showFieldsOf(form, effect.value));
  showFieldsOf(form, effect.value);
  void offering.run(loadAnswers, ({ operations, statuses, examples }) => {
    find("select", "[name=operation]", form).append(...operations.map((id) => element("option", {}, id)));
    find("select", "[name=status]", form).append(...statuses.map((status) => element("option", {}, status)));
    find("select", "[name=example]", form).append(...examples.map((name) => element("option", {}, name)));
  });
  return (newlyChosen) => {
    chosen = newlyChosen;
    load();
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
  const operation = textOf(data, "operation") as NewFault["operation"]; // of the contract's own
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
  const { operation = "both operations", share, count, hits } = fault;
  const parts = [
    `${toEffect(fault)}: ${operation}`,
    share !== undefined && share < 1 && `${Math.round(share * 100)} % of requests`,
    count !== undefined && `at most ${count} times`,
    `struck ${hits} times`,
  ];
  return parts.filter((part) => part !== false).join(", ");
}

function toEffect({ delayMs, status, example, disconnect, malformed }: Fault): string {
  const parts = [
    status !== undefined && `answers ${status}`,
    example !== undefined && `answers example ${example}`,
    disconnect && "closes the connection",
    malformed && "answers half",
    delayMs !== undefined && `${delayMs.toLocaleString("en")} ms late`,
  ];
  return parts.filter((part) => part).join(", ");
}
