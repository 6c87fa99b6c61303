// A small environment on disk, without a server, for tests that watch the disk.
import { createAdjustableClock, systemClock } from "../../src/core/domain/clock.js";
import { toMemory } from "../../src/core/domain/serialized-notification.js";
import type { MemoryData, StoredPreferences } from "../../src/core/domain/state.js";
import { createStoredEnvironment, type Environment, type StoredEnvironment } from "../../src/core/state/environment.js";
import { createEnvironmentState } from "../../src/core/state/environment-state.js";
import type { FileFormat } from "../../src/server/store/disk/durable-json-file.js";
import { createFiles, type EnvironmentFiles, openFiles } from "../../src/server/store/disk/environment-files.js";
import { toEnvironmentChunks } from "../../src/server/store/format/environment-text.js";
import { createSmallSeed } from "./small-seed.js";

const { asOf: _asOf, ...records } = createSmallSeed();
export const small = records;

/** A format without checks. */
export const format: FileFormat<MemoryData | null> = {
  toChunks: (contents) => toEnvironmentChunks(contents ?? {}),
  parse: (bytes) => toMemory(JSON.parse(bytes.toString())),
};

export interface OnDisk {
  files: EnvironmentFiles;
  environment: StoredEnvironment;
}

export async function create(folder: string): Promise<OnDisk> {
  const files = await createFiles(`${folder}/default.json`, format, toMemory(small));
  return { files, environment: toEnvironment(createEnvironmentState(toMemory(small)), files) };
}

/** Returns undefined if there are no files. */
export async function openIfThere(folder: string): Promise<OnDisk | undefined> {
  const opened = await openFiles(`${folder}/default.json`, format);
  if (!opened) return undefined;
  const state = createEnvironmentState(opened.contents);
  state.apply(opened.changes);
  return { files: opened.files, environment: toEnvironment(state, opened.files) };
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

export function compact({ files, environment: { state, exclusive } }: OnDisk): Promise<void> {
  return exclusive(() => files.compact(state.toData()));
}

export function emailsOf(data: { preferences: readonly StoredPreferences[] }): Record<string, boolean | undefined> {
  return Object.fromEntries(data.preferences.map(({ subscriberId, global }) => [subscriberId, global.email]));
}

function toEnvironment(state: Environment["state"], log: EnvironmentFiles): StoredEnvironment {
  return createStoredEnvironment({ name: "small", state, log, clock: createAdjustableClock(systemClock) });
}
