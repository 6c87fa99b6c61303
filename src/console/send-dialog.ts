// Sends a notification, as if a workflow had been triggered.
import type { NewNotifications } from "../client/control.js";
import { element, find, numberOf, onPress, onSubmit, textOf } from "./dom.js";
import { readPageAddress } from "./page-address.js";
import { createPanelStatus } from "./panel-status.js";
import type { SelectionHolder } from "./selection.js";
import { suggestSubscribers } from "./subscriber-field.js";

/** Returns a function that opens the dialog. @param sent is called with a message. */
export function createSendDialog(selection: SelectionHolder, sent: (message: string) => void): () => void {
  const dialog = find("dialog", "#send");
  const workflows = find("select", "[name=workflow]", dialog);
  const subscriber = find("input", "[name=subscriberId]", dialog);
  const [status, suggesting] = [createPanelStatus(dialog), createPanelStatus(dialog)];
  suggestSubscribers(subscriber, suggesting, selection);
  onPress(find("button", "[data-do=close]", dialog), () => dialog.close());
  onSubmit(find("form", "form", dialog), (data) =>
    selection.use(({ control, environment }) =>
      status.run(
        async () => control.addNotifications(environment.name, toNotifications(data)),
        (added) => {
          dialog.close();
          sent(`${added.length} sent to ${textOf(data, "subscriberId")}.`);
        },
      ),
    ),
  );
  return () =>
    selection.use(({ control, environment }) => {
      dialog.showModal();
      subscriber.value ||= readPageAddress().get("subscriber") ?? "";
      return status.run(
        () => control.listWorkflows(environment.name),
        (all) => {
          const { value } = workflows;
          const active = all.filter((workflow) => workflow.active);
          workflows.replaceChildren(
            ...active.map(({ identifier, name }) => element("option", { value: identifier }, name)),
          );
          if (active.some(({ identifier }) => identifier === value)) workflows.value = value;
          if (active.length === 0) status.say("Add a workflow first, under Environment.");
        },
      );
    });
}

/** @throws SyntaxError for a payload that is not JSON. */
function toNotifications(data: FormData): NewNotifications {
  const [workflow, payload] = [textOf(data, "workflow"), textOf(data, "payload")];
  return {
    subscriberId: textOf(data, "subscriberId") ?? "",
    outcome: textOf(data, "outcome") as NonNullable<NewNotifications["outcome"]>, // an option of the form
    count: numberOf(data, "count") ?? 1,
    topics: [],
    ...(workflow === undefined ? {} : { workflow }),
    ...(payload === undefined ? {} : { payload: JSON.parse(payload) }),
  };
}
