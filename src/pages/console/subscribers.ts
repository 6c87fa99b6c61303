// The picker of subscribers: finds them by a part of the id, the name or the e-mail address, adds and removes them.
import type { Subscriber } from "../../browser/client/control.js";
import { ask } from "../script/dom.js";
import { createPalette, type PaletteItem } from "../script/palette.js";
import { messageOf, selected, showToast } from "./panel.js";

const MAX_SHOWN = 50;

/** The first ones, without a text. */
export async function searchSubscribers(text: string): Promise<readonly Subscriber[]> {
  const { control, environment } = selected();
  const filter = { limit: MAX_SHOWN, ...(text === "" ? {} : { search: text }) };
  return (await control.listSubscribers(environment.name, filter)).subscribers;
}

/** What a palette lists: those that are found, and the text as the id of a new one. */
async function findItems(text: string, pick: (id: string) => void): Promise<PaletteItem[]> {
  const found = await searchSubscribers(text);
  const items = found.map((subscriber) => ({
    ...buildSubscriberItem(subscriber, pick),
    remove: () => remove(subscriber),
  }));
  if (text === "" || found.some(({ subscriberId }) => subscriberId === text)) return items;
  return [...items, { group: "New", name: `Add ${text}`, isLast: true, run: () => void add(text, pick) }];
}

async function add(subscriberId: string, pick: (id: string) => void): Promise<void> {
  const { control, environment } = selected();
  try {
    await control.addSubscriber(environment.name, { subscriberId });
    pick(subscriberId);
    showToast(`${subscriberId} is added.`);
  } catch (error) {
    showToast(messageOf(error));
  }
}

async function remove(subscriber: Subscriber): Promise<void> {
  const { control, environment } = selected();
  const loss = "Its preferences are removed, too. Its notifications stay.";
  if (!(await ask(`Remove ${formatName(subscriber)}?`, [{ value: "remove", text: "Remove" }], loss))) return;
  await control.removeSubscriber(environment.name, subscriber.subscriberId);
  showToast(`${formatName(subscriber)} is removed.`);
}

let pickId: (id: string) => void = () => {};
let openPicker: (() => void) | undefined;

/** Opens the palette of subscribers. @param picked called with the id. */
export function pickSubscriber(picked: (id: string) => void): void {
  pickId = picked;
  openPicker ??= createPalette("Subscriber", (text) => findItems(text, (id) => pickId(id)));
  openPicker();
}

/** For the search of all. */
export async function findSubscribers(text: string, pick: (id: string) => void): Promise<PaletteItem[]> {
  const found = text === "" ? [] : await searchSubscribers(text);
  return found.map((subscriber) => buildSubscriberItem(subscriber, pick));
}

export type Named = Pick<Subscriber, "subscriberId" | "firstName" | "lastName">;

/** The name, or else the id. */
export function formatName({ subscriberId = "", firstName, lastName }: Partial<Named>): string {
  return [firstName, lastName].filter(Boolean).join(" ") || subscriberId;
}

/** @param pick called with the id. */
function buildSubscriberItem(subscriber: Subscriber, pick: (id: string) => void): PaletteItem {
  const { subscriberId: id, email } = subscriber;
  const name = formatName(subscriber);
  const note = [name !== id && id, email].filter(Boolean).join(" · ");
  return { group: "Subscribers", name, note, isFound: true, run: () => pick(id) };
}
