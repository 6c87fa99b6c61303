// Subscribers by a part of the id, the name or the e-mail address.
import type { Subscriber } from "../../browser/client/control.js";
import { find } from "../script/dom.js";
import { createPalette, type PaletteItem } from "../script/palette.js";
import { buildSubscriberItem } from "../script/subscriber-item.js";
import { selected } from "./panel.js";

const MAX_SHOWN = 50;

/** The first ones, without a text. */
export async function searchSubscribers(text: string): Promise<readonly Subscriber[]> {
  const { control, environment } = selected();
  const filter = { limit: MAX_SHOWN, ...(text === "" ? {} : { search: text }) };
  return (await control.listSubscribers(environment.name, filter)).subscribers;
}

/** What a palette lists. An id that no subscriber has can be picked, too: the page then shows the API's response. */
export async function findSubscriberItems(text: string, pick: (id: string) => void): Promise<PaletteItem[]> {
  const found = await searchSubscribers(text);
  if (found.length === 0) return [{ group: "No subscriber found", name: `Use the id ${text}`, run: () => pick(text) }];
  return found.map((subscriber) => buildSubscriberItem(subscriber, pick));
}

let useId: (id: string) => void = () => {};
let openPicker: (() => void) | undefined;

/** Opens the palette of subscribers. @param picked called with the id. */
export function pickSubscriber(picked: (id: string) => void): void {
  useId = picked;
  openPicker ??= createPalette("Subscriber", (text) => findSubscriberItems(text, (id) => useId(id)));
  openPicker();
}

/** Makes the button beside a text field fill it with a subscriber's id. */
export function startPicking(field: HTMLInputElement): void {
  find("button", "[data-do=pick]", field.closest(".pick") ?? undefined).addEventListener("click", () =>
    pickSubscriber((id) => {
      field.value = id;
      field.dispatchEvent(new Event("input", { bubbles: true }));
      field.focus();
    }),
  );
}
