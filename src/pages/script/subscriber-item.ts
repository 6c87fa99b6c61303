// A subscriber as the search lists one.
import type { Subscriber } from "../../browser/client/control.js";
import type { PaletteItem } from "./palette.js";

export type Named = Pick<Subscriber, "subscriberId" | "firstName" | "lastName">;

/** The name, or else the id. */
export function formatName({ subscriberId = "", firstName, lastName }: Partial<Named>): string {
  return [firstName, lastName].filter(Boolean).join(" ") || subscriberId;
}

/** @param pick called with the id. */
export function buildSubscriberItem(subscriber: Subscriber, pick: (id: string) => void): PaletteItem {
  const { subscriberId: id, email } = subscriber;
  const name = formatName(subscriber);
  const note = [name !== id && id, email].filter(Boolean).join(" · ");
  return { group: "Subscribers", name, note, isFound: true, run: () => pick(id) };
}
