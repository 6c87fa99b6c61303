// The dialog that sends notifications, as if a workflow had been triggered.
import type { NewNotifications } from "../../browser/client/control.js";
import { button, element, labelled, markField, menu } from "../script/dom.js";
import { onSubmit } from "./form.js";
import { readPageAddress } from "./navigation.js";
import { buildState, createRunner, messageOf } from "./panel.js";
import { formatName, searchSubscribers } from "./subscribers.js";

const OUTCOMES = [
  ["completed", "delivered"],
  ["pending", "in progress"],
  ["digest", "in progress: an open digest"],
  ["failed", "failed"],
] as const;

interface Fields extends Omit<NewNotifications, "payload"> {
  payload?: string;
}

/** Returns a function that opens the dialog. @param onSent called with a message for the user, and the first one's id. */
export function createSendDialog(onSent: (message: string, id: string) => void): () => Promise<void> {
  const suggestions = element("datalist", { id: "send-subscribers" });
  const subscriber = element("input", { name: "subscriberId", required: true });
  subscriber.setAttribute("list", suggestions.id);
  const workflows = menu([], { name: "workflow" });
  const count = element("input", {
    name: "count",
    type: "number",
    min: "1",
    max: "1000",
    defaultValue: "1",
    required: true,
  });
  const payload = element("textarea", { name: "payload", rows: 3, placeholder: '{ "orderId": 7 }' });
  const state = buildState();
  const form: HTMLFormElement = element(
    "form",
    { autocomplete: "off" },
    element("h2", {}, "Send a notification"),
    element(
      "div",
      { className: "fields" },
      labelled("Subscriber", subscriber),
      labelled("Workflow", workflows),
      labelled("Outcome", menu(OUTCOMES, { name: "outcome" })),
      labelled("Count", count),
    ),
    suggestions,
    labelled("Payload (JSON)", payload),
    state,
    element(
      "div",
      { className: "row" },
      element("button", { type: "submit" }, "Send"),
      button("Close", () => dialog.close()),
    ),
  );
  const dialog: HTMLDialogElement = element("dialog", { id: "send", ariaLabel: "Send a notification" }, form);
  document.body.append(dialog);
  const runner = createRunner(dialog, state);

  subscriber.addEventListener("input", () => void suggest());
  async function suggest(): Promise<void> {
    const found = await searchSubscribers(subscriber.value.trim());
    const options = found.map((each) => element("option", { value: each.subscriberId }, formatName(each)));
    suggestions.replaceChildren(...options);
  }

  onSubmit<Fields>(form, ({ payload: text, ...members }) => {
    const notifications: NewNotifications = { ...members, topics: [] };
    try {
      if (text !== undefined) notifications.payload = JSON.parse(text);
    } catch (error) {
      return markField(payload, messageOf(error));
    }
    return runner.act(
      (control, name) => control.addNotifications(name, notifications),
      (sent) => {
        dialog.close();
        onSent(`${sent.length} sent to ${members.subscriberId}.`, sent[0]?._id ?? "");
      },
      form,
    );
  });
  return () => {
    dialog.showModal();
    subscriber.value ||= readPageAddress().get("subscriber") ?? "";
    return runner.load(
      async (control, name) => [await control.listWorkflows(name), await searchSubscribers("")] as const,
      ([all, [first]]) => {
        subscriber.value ||= first?.subscriberId ?? "";
        const { value } = workflows;
        const active = all.filter((workflow) => workflow.active);
        workflows.replaceChildren(
          ...active.map(({ identifier, name }) => element("option", { value: identifier }, name)),
        );
        if (active.some(({ identifier }) => identifier === value)) workflows.value = value;
        if (active.length === 0)
          runner.say("This environment has no active workflow: add one through the control plane.");
      },
    );
  };
}
