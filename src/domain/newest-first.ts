// Lists in the order in which notifications are shown: newest first, ties by greater id (D-25). Searched by halving, and
// several of them read as one without being put together.
import type { KeptNotification } from "./state.js";

type Placed = Pick<KeptNotification, "instant" | "_id">;

/** Part of a list, from `from` up to, not including, `to`. */
export interface Run {
  list: readonly KeptNotification[];
  from: number;
  to: number;
}

export function compareNewest(a: Placed, b: Placed): number {
  return b.instant - a.instant || (a._id < b._id ? 1 : a._id > b._id ? -1 : 0);
}

/** Where in a list a notification is, or would be. */
export function placeOf(list: readonly KeptNotification[], notification: Placed): number {
  return findFirst(list, (other) => compareNewest(other, notification) >= 0);
}

/** What of a list lies between two instants, both excluded. */
export function between(list: readonly KeptNotification[], after: number, before: number): Run {
  const from = findFirst(list, ({ instant }) => instant < before);
  return {
    list,
    from,
    to: Math.max(
      from,
      findFirst(list, ({ instant }) => instant <= after),
    ),
  };
}

export function sizeOf(runs: readonly Run[]): number {
  return runs.reduce((size, { from, to }) => size + to - from, 0);
}

/** The notifications of runs that have none in common, without the first `skipped` of them. */
export function* readRuns(runs: readonly Run[], skipped = 0): Generator<KeptNotification> {
  const rest = skip(runs, skipped);
  for (let next = newest(rest, 1); next; next = newest(rest, 1)) {
    yield next.list[next.from] as KeptNotification; // an open run has one
    next.from += 1;
  }
}

/** The runs without their first `count` notifications. The work grows with the logarithm of `count`. */
function skip(runs: readonly Run[], count: number): Run[] {
  const rest = runs.map((run) => ({ ...run }));
  for (let left = count; left > 0; ) {
    // At most `left` notifications can precede the newest of the runs' step-th ones: that run may go as far.
    const step = Math.max(1, Math.floor(left / rest.length));
    const run = newest(rest, step);
    if (!run) break;
    const passed = Math.min(step, run.to - run.from);
    run.from += passed;
    left -= passed;
  }
  return rest;
}

/** Of the runs that are not at their end the one whose step-th notification, or last one, is the newest. */
function newest(runs: readonly Run[], step: number): Run | undefined {
  let found: Run | undefined;
  let best: KeptNotification | undefined;
  for (const run of runs) {
    const candidate = run.from < run.to ? run.list[Math.min(run.from + step, run.to) - 1] : undefined;
    if (!candidate || (best && compareNewest(candidate, best) >= 0)) continue;
    found = run;
    best = candidate;
  }
  return found;
}

/** The first place from which on all of a list is as asked. */
function findFirst(list: readonly KeptNotification[], isFound: (notification: KeptNotification) => boolean): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isFound(list[middle] as KeptNotification)) high = middle;
    else low = middle + 1;
  }
  return low;
}
