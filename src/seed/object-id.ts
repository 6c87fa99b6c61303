// MongoDB's ObjectIds, but repeatable: 4 bytes of seconds, 5 of the process, 3 of a counter.

/** Ids at or above this second (15 November 2051) have slugs of 17 characters; the service's have 16. */
export const LAST_ID_INSTANT = 0x9a000000 * 1000 - 1;

/** Each kind of record has a process id of its own, so that ids never collide. */
export const CATALOGUE_PROCESS_ID = "0c4b3d5e6f";
export const SUBSCRIBER_PROCESS_ID = "0c4b3d5e70";
export const NOTIFICATION_PROCESS_ID = "0c4b3d5e71";
export const JOB_PROCESS_ID = "0c4b3d5e72";
export const TRANSACTION_PROCESS_ID = "0c4b3d5e73";

/** The id of the `count`th record that a process created, at `instant` (milliseconds). */
export function toObjectId(instant: number, processId: string, count: number): string {
  const seconds = Math.floor(instant / 1000);
  return seconds.toString(16).padStart(8, "0") + processId + (count % 2 ** 24).toString(16).padStart(6, "0");
}

/** Returns a new id with each call; ids sort by instant and, within a second, by call. */
export function createObjectIds(processId: string): (instant: number) => string {
  let count = 0;
  return (instant) => toObjectId(instant, processId, ++count);
}
