// Ids of records, the same in every run: after the time, 5 bytes of the process and 3 of a counter, as in MongoDB.
import { toObjectId } from "../domain/object-id.js";

/** Each kind of record has a process id of its own, so that ids never collide. */
const PROCESS_IDS = {
  catalogue: "0c4b3d5e6f",
  subscriber: "0c4b3d5e70",
  notification: "0c4b3d5e71",
  job: "0c4b3d5e72",
  transaction: "0c4b3d5e73",
};

type Kind = keyof typeof PROCESS_IDS;

/** The id of the `count`th record of its kind, which was created at `instant` (milliseconds). */
export function toRecordId(kind: Kind, instant: number, count: number): string {
  return toObjectId(instant, PROCESS_IDS[kind] + count.toString(16).padStart(6, "0"));
}

/** Returns a new id with each call; those of a kind sort by instant and, within a second, by call. */
export function createObjectIds(): (kind: Kind, instant: number) => string {
  const counts = new Map<Kind, number>();
  return (kind, instant) => {
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    return toRecordId(kind, instant, count);
  };
}
