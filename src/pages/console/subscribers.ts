// Subscribers by a part of the id, the name or the e-mail address.
import type { Subscriber } from "../../browser/client/control.js";
import { element, find } from "../script/dom.js";
import type { PaletteItem } from "../script/palette.js";
import { createPanelStatus, selected } from "./panel.js";

const MAX_SHOWN = 50;

/** The first ones, without a text. */
export async function searchSubscribers(text: string): Promise<readonly Subscriber[]> {
  const { control, environment } = selected();
  const filter = { limit: MAX_SHOWN, ...(text === "" ? {} : { search: text }) };
  return (await control.listSubscribers(environment.name, filter)).subscribers;
}

export type Named = Pick<Subscriber, "subscriberId" | "firstName" | "lastName">;

/** The name, or else the id. */
export function formatName({ subscriberId, firstName, lastName }: Named): string {
  return [firstName, lastName].filter(Boolean).join(" ") || subscriberId;
}

/** What a palette lists. An id that no subscriber has can be picked, too: the page then shows the API's response. */
export async function findSubscriberItems(text: string, pick: (id: string) => void): Promise<PaletteItem[]> {
  const found = await searchSubscribers(text);
  if (found.length === 0) return [{ group: "No subscriber found", name: `Use the id ${text}`, run: () => pick(text) }];
  return found.map((subscriber) => {
    const { subscriberId: id, email } = subscriber;
    const name = formatName(subscriber);
    const note = [name !== id && id, email].filter(Boolean).join(" · ");
    return { group: "Subscribers", name, note, run: () => pick(id) };
  });
}

/** Suggests subscribers in a text field. The panel shows errors. */
export function suggestSubscribers(field: HTMLInputElement, panel: HTMLElement): void {
  const list = find("datalist", `#${field.getAttribute("list")}`);
  const status = createPanelStatus(panel);
  field.addEventListener("input", () =>
    status.load(
      () => searchSubscribers(field.value.trim()),
      (found) => {
        const options = found.map((subscriber) =>
          element("option", { value: subscriber.subscriberId, label: formatName(subscriber) }),
        );
        list.replaceChildren(...options);
      },
    ),
  );
}
