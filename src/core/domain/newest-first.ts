// The order in which notifications are listed: newest first, ties by greater id (D-25). A list in this order is searched by
// halving.
import type { SerializedNotification } from "./state.js";

type Position = Pick<SerializedNotification, "instant" | "_id">;

export function compareNewest(a: Position, b: Position): number {
  return b.instant - a.instant || (a._id < b._id ? 1 : a._id > b._id ? -1 : 0);
}

/** The index in a list at which a notification is, or would be inserted. */
export function indexIn(list: readonly SerializedNotification[], notification: Position): number {
  return findFirst(list, (other) => compareNewest(other, notification) >= 0);
}

/** The notifications between two instants, both excluded: from `start` up to, not including, `end`. */
export function rangeBetween(list: readonly SerializedNotification[], after: number, before: number) {
  const start = findFirst(list, ({ instant }) => instant < before);
  const end = findFirst(list, ({ instant }) => instant <= after);
  return { start, end: Math.max(start, end) };
}

/** The first index from which on every notification of a list meets a condition. */
function findFirst(
  list: readonly SerializedNotification[],
  isMet: (notification: SerializedNotification) => boolean,
): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isMet(list[middle] as SerializedNotification)) high = middle;
    else low = middle + 1;
  }
  return low;
}
