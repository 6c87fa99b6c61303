// The dialog that sends notifications, as if a workflow had been triggered.
import type { NewNotifications, Subscriber, Workflow } from "../../browser/client/control.js";
import { element, find, markField, onPress } from "../script/dom.js";
import { formatName } from "../script/subscriber-item.js";
import { CHANNELS } from "./channels.js";
import { onSubmit } from "./form.js";
import { readPageAddress } from "./navigation.js";
import { createPanelStatus, dataOf, messageOf, selected } from "./panel.js";
import { searchSubscribers, startPicking } from "./subscribers.js";

/**
 * Returns a function that opens the dialog. @param onSent called with a message for the user, and the latest one's id.
 */
export function createSendDialog(onSent: (message: string, id: string) => void): () => void {
  const dialog = find("dialog", "#send");
  const workflows = find("select", "[name=workflow]", dialog);
  const subscriber = find("input", "[name=subscriberId]", dialog);
  const suggestions = find("datalist", "datalist", dialog);
  const status = createPanelStatus(dialog);
  const off = find("p", "[data-off]", dialog);
  const offStatus = createPanelStatus(dialog); // loads beside the workflows
  let listed: readonly Workflow[] = [];
  startPicking(subscriber);

  /**
   * Suggests subscribers. The control plane adds what the user wants, so the dialog only says what the subscriber does
   * not want.
   */
  function showOff(): Promise<void> {
    const workflow = listed.find(({ identifier }) => identifier === workflows.value);
    const id = subscriber.value.trim();
    return offStatus.load(
      async () => {
        const found = await searchSubscribers(id);
        const chosen = found.find(({ subscriberId }) => subscriberId === id);
        return { found, text: workflow && chosen ? await describeOff(chosen, workflow) : "" };
      },
      ({ found, text }) => {
        suggestions.replaceChildren(
          ...found.map((each) => element("option", { value: each.subscriberId }, formatName(each))),
        );
        off.textContent = text;
        off.hidden = text === "";
      },
    );
  }
  for (const field of [subscriber, workflows]) field.addEventListener("input", showOff);
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
      async (control, name) => [await control.listWorkflows(name), await searchSubscribers("")] as const,
      ([all, [first]]) => {
        subscriber.value ||= first?.subscriberId ?? "";
        listed = all;
        const { value } = workflows;
        const active = all.filter((workflow) => workflow.active);
        const options = active.map(({ identifier, name }) => element("option", { value: identifier }, name));
        workflows.replaceChildren(...options);
        if (active.some(({ identifier }) => identifier === value)) workflows.value = value;
        if (active.length === 0)
          status.say("This environment has no active workflow: add one through the control plane.");
        void showOff();
      },
    );
  };
}

interface NotificationFields extends Omit<NewNotifications, "payload"> {
  payload?: string;
}

/** Which channels of a workflow a subscriber has switched off; empty if none. */
async function describeOff(chosen: Subscriber, { identifier, steps }: Workflow): Promise<string> {
  const result = await selected().api?.readPreferences(chosen.subscriberId);
  if (!result || result.status === 404) return "";
  const own = dataOf(result).workflows.find(({ workflow }) => workflow.identifier === identifier)?.channels ?? {};
  const sent = new Set(steps.filter(({ active }) => active).map(({ type }) => type));
  const names = CHANNELS.filter(({ channel }) => sent.has(channel) && own[channel] === false).map(({ name }) => name);
  if (names.length === 0) return "";
  const [are, they] = names.length === 1 ? ["is", "it is"] : ["are", "they are"];
  return `${LIST.format(names)} ${are} off for ${formatName(chosen)}: ${they} added all the same.`;
}

const LIST = new Intl.ListFormat("en");
