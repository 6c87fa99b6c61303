// A small environment on a disk that a test watches: created, opened, changed and compacted without a server.
import { createAdjustableClock, systemClock } from "../../src/domain/clock.js";
import type { StoredPreferences } from "../../src/domain/state.js";
import { createFiles, openFiles } from "../../src/store/disk/environment-files.js";
import type { EnvironmentPlace } from "../../src/store/disk/environment-folder.js";
import type { JournaledFile } from "../../src/store/disk/journaled-file.js";
import { createEnvironment, type Environment } from "../../src/store/environment.js";
import { toContents } from "../../src/store/format/environment-contents.js";
import { createEnvironmentState } from "../../src/store/state/environment-state.js";
import { createSmallSeed } from "./small-seed.js";

const { asOf: _asOf, ...records } = createSmallSeed();
export const small = records;

export interface OnDisk {
  file: JournaledFile;
  environment: Environment;
}

export async function create(folder: string): Promise<OnDisk> {
  const file = await createFiles(placeIn(folder), toContents(small));
  return { file, environment: toEnvironment(createEnvironmentState(toContents(small)), file) };
}

/** Undefined where there are no files. */
export async function openIfThere(folder: string): Promise<OnDisk | undefined> {
  const files = await openFiles(placeIn(folder));
  if (!files) return undefined;
  const state = createEnvironmentState(files.stored.contents);
  state.apply(files.stored.changes);
  return { file: files.file, environment: toEnvironment(state, files.file) };
}

export async function open(folder: string): Promise<OnDisk> {
  const onDisk = await openIfThere(folder);
  if (!onDisk) throw new Error("the folder has no environment");
  return onDisk;
}

export async function change(environment: Environment, subscriberId: string, email: boolean): Promise<void> {
  const preferences = { subscriberId, global: { email }, workflows: [] };
  await environment.transact(() => ({ result: undefined, changes: [{ type: "preferencesSet", preferences }] }));
}

export function compact({ file, environment: { state, exclusive } }: OnDisk): Promise<void> {
  return file.compact({ snapshot: state.toContents, exclusive });
}

export function emailsOf(data: { preferences: readonly StoredPreferences[] }): Record<string, boolean | undefined> {
  return Object.fromEntries(data.preferences.map(({ subscriberId, global }) => [subscriberId, global.email]));
}

export function placeIn(folder: string): EnvironmentPlace {
  return {
    path: `${folder}/default.json`,
    contract: "a".repeat(64),
    parse: (bytes) => toContents(JSON.parse(bytes.toString())),
  };
}

function toEnvironment(state: Environment["state"], log: JournaledFile): Environment {
  return createEnvironment({ name: "small", state, log, clock: createAdjustableClock(systemClock), isDurable: true });
}
