// Internal ids as MongoDB makes them, but repeatable: 4 bytes of seconds, 5 of the maker, 3 of a counter.

/** Ids at or above this second (15 November 2051) have slugs of 17 characters; the service's have 16. */
export const LAST_ID_INSTANT = 0x9a000000 * 1000 - 1;

/** The makers whose ids occur in a seed. Each counts for itself, so that ids of two makers never meet. */
export const CATALOGUE_MAKER = "0c4b3d5e6f";
export const SUBSCRIBER_MAKER = "0c4b3d5e70";
export const NOTIFICATION_MAKER = "0c4b3d5e71";
export const JOB_MAKER = "0c4b3d5e72";
export const TRANSACTION_MAKER = "0c4b3d5e73";

/** The id of something that `maker` made at `instant` (milliseconds) as its `count`th thing. */
export function toObjectId(instant: number, maker: string, count: number): string {
  const seconds = Math.floor(instant / 1000);
  return seconds.toString(16).padStart(8, "0") + maker + (count % 2 ** 24).toString(16).padStart(6, "0");
}

/** Gives a new id with each call; ids are in the order of their instants and, within a second, of the calls. */
export function createObjectIds(maker: string): (instant: number) => string {
  let count = 0;
  return (instant) => toObjectId(instant, maker, ++count);
}
