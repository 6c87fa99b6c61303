// Seeds that hold only what differs from another one: a bug report is a few lines, not all demo data once more.
import { isEqual } from "../../contract/json.js";
import type { MemoryData, RecordList, Seed } from "../domain/state.js";
import { shiftSeed } from "./seed-environment.js";

const KEYS: Record<RecordList, string> = {
  workflows: "_id",
  subscribers: "_id",
  preferences: "subscriberId",
  notifications: "_id",
};
const LISTS = Object.keys(KEYS) as RecordList[];

type ExportedSeed = MemoryData & Pick<Seed, "asOf">;

/** Leaves out the records that are as in the base. Returns all of a seed that has no record of the base. */
export function subtractSeed(seed: ExportedSeed, base: Seed, name: string): ExportedSeed {
  const created = findCreation(seed, base);
  if (created === undefined) return seed;
  const original = shiftSeed(base, created);
  const without: Record<string, string[]> = {};
  const changed: Record<string, object[]> = {};
  for (const list of LISTS) {
    const before = byKey(list, original[list]);
    const now = byKey(list, seed[list]);
    changed[list] = [...now].filter(([key, record]) => !isSame(record, before.get(key))).map(([, record]) => record);
    const removed = [...before.keys()].filter((key) => !now.has(key));
    if (removed.length > 0) without[list] = removed;
  }
  const { format, version, name: own, asOf } = seed;
  const extended = { seed: name, asOf: created.toISOString(), without };
  return Object.assign({ format, version, name: own, asOf, extends: extended }, { ...seed, ...changed });
}

/** The whole seed of a difference. Records of the base keep their place. */
export function extendSeed({ extends: extended, ...difference }: Seed, base: Seed): Seed {
  if (!extended) return difference;
  const original = shiftSeed(base, new Date(extended.asOf));
  const lists = LISTS.map((list) => {
    const records = byKey(list, original[list]);
    for (const key of extended.without[list] ?? []) records.delete(key);
    for (const [key, record] of byKey(list, difference[list])) records.set(key, record);
    return [list, [...records.values()]];
  });
  return { ...difference, ...Object.fromEntries(lists) };
}

/** When an environment was created from a base, by a record of both, since all times are shifted alike. */
function findCreation(seed: ExportedSeed, base: Seed): Date | undefined {
  const before = new Map([...base.workflows, ...base.notifications].map(({ _id, createdAt }) => [_id, createdAt]));
  const workflows = seed.workflows.map(({ _id, createdAt }) => ({ _id, instant: Date.parse(createdAt) }));
  const shared = [...workflows, ...seed.notifications].find(({ _id }) => before.has(_id));
  return shared && new Date(Date.parse(base.asOf) + shared.instant - Date.parse(before.get(shared._id) ?? ""));
}

function byKey(list: RecordList, records: readonly object[]): Map<string, object> {
  return new Map(records.map((record) => [(record as Record<string, string>)[KEYS[list]] ?? "", record]));
}

function isSame(record: object, before: object | undefined): boolean {
  if (!before || !("json" in record)) return isEqual(record, before);
  return isEqual(JSON.parse(new TextDecoder().decode(record.json as Uint8Array)), before);
}
