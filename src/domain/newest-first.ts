// The order in which notifications are listed: newest first, ties by greater id (D-25). Lists in this order are searched by
// halving, and several of them are read as one.
import type { SerializedNotification } from "./state.js";

type Position = Pick<SerializedNotification, "instant" | "_id">;

/** Part of a list: from `start` up to, not including, `end`. */
export interface Slice {
  list: readonly SerializedNotification[];
  start: number;
  end: number;
}

export function compareNewest(a: Position, b: Position): number {
  return b.instant - a.instant || (a._id < b._id ? 1 : a._id > b._id ? -1 : 0);
}

/** The index in a list at which a notification is, or would be inserted. */
export function indexIn(list: readonly SerializedNotification[], notification: Position): number {
  return findFirst(list, (other) => compareNewest(other, notification) >= 0);
}

/** The part of a list between two instants, both excluded. */
export function sliceBetween(list: readonly SerializedNotification[], after: number, before: number): Slice {
  const start = findFirst(list, ({ instant }) => instant < before);
  const end = findFirst(list, ({ instant }) => instant <= after);
  return { list, start, end: Math.max(start, end) };
}

/** The notifications of slices. One that is in several of them comes once. */
export function* readNewest(slices: readonly Slice[]): Generator<SerializedNotification> {
  const rest = slices.map((slice) => ({ ...slice }));
  let last: SerializedNotification | undefined;
  for (let next = newest(rest); next; next = newest(rest)) {
    const notification = next.list[next.start] as SerializedNotification; // its slice is not at its end
    next.start += 1;
    if (notification !== last) yield notification;
    last = notification;
  }
}

/** Of the slices that are not at their end, the one that starts with the newest notification. */
function newest(slices: readonly Slice[]): Slice | undefined {
  let result: Slice | undefined;
  let first: SerializedNotification | undefined;
  for (const slice of slices) {
    const candidate = slice.start < slice.end ? slice.list[slice.start] : undefined;
    if (!candidate || (first && compareNewest(candidate, first) >= 0)) continue;
    result = slice;
    first = candidate;
  }
  return result;
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
