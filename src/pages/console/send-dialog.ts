// The dialog that sends notifications, as if a workflow had been triggered.
import type { NewNotifications } from "../../browser/client/control.js";
import { element, find, markField, onPress } from "../script/dom.js";
import { onSubmit } from "./form.js";
import { readPageAddress } from "./navigation.js";
import { createPanelStatus, messageOf } from "./panel.js";
import { startPicking } from "./subscribers.js";

/**
 * Returns a function that opens the dialog. @param onSent called with a message for the user, and the latest one's id.
 */
export function createSendDialog(onSent: (message: string, id: string) => void): () => void {
  const dialog = find("dialog", "#send");
  const workflows = find("select", "[name=workflow]", dialog);
  const subscriber = find("input", "[name=subscriberId]", dialog);
  const status = createPanelStatus(dialog);
  startPicking(subscriber);
  onPress(find("button", "[data-do=close]", dialog), () => dialog.close());
  const form = find("form", "form", dialog);
  onSubmit<NotificationFields>(form, ({ payload, ...members }) => {
    const notifications: NewNotifications = { ...members, topics: [] };
    try {
      if (payload !== undefined) notifications.payload = JSON.parse(payload);
    } catch (error) {
      return markField(find("textarea", "[name=payload]", form), messageOf(error));
    }
    return status.act(
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
    return status.load(
      (control, name) => control.listWorkflows(name),
      (all) => {
        const { value } = workflows;
        const active = all.filter((workflow) => workflow.active);
        const options = active.map(({ identifier, name }) => element("option", { value: identifier }, name));
        workflows.replaceChildren(...options);
        if (active.some(({ identifier }) => identifier === value)) workflows.value = value;
        if (active.length === 0) status.say("Add a workflow first, under Environment.");
      },
    );
  };
}

interface NotificationFields extends Omit<NewNotifications, "payload"> {
  payload?: string;
}
