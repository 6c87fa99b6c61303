// A small environment on disk, without a server, for tests that watch the disk.
import { createAdjustableClock, systemClock } from "../../src/core/domain/clock.js";
import { type StoredPreferences, toMemory } from "../../src/core/domain/state.js";
import { createStoredEnvironment, type Environment, type StoredEnvironment } from "../../src/core/state/environment.js";
import { type ChangingState, createEnvironmentState } from "../../src/core/state/environment-state.js";
import { createFiles, type EnvironmentFiles, openFiles } from "../../src/server/store/durable-environment.js";
import type { FileFormat } from "../../src/server/store/durable-json-file.js";
import { toEnvironmentChunks } from "../../src/server/store/environment-text.js";
import { createSmallSeed } from "./small-seed.js";

const { asOf: _asOf, ...records } = createSmallSeed();
export const small = records;

/** A format without checks. */
export const format: FileFormat<ChangingState> = {
  toChunks: (state) => toEnvironmentChunks(state.toData()),
  parse: (bytes) => createEnvironmentState(toMemory(JSON.parse(bytes.toString()))),
};

export interface OnDisk {
  files: EnvironmentFiles;
  environment: StoredEnvironment;
}

export async function create(folder: string): Promise<OnDisk> {
  return toEnvironment(await createFiles(`${folder}/default.json`, format, createEnvironmentState(toMemory(small))));
}

/** Returns undefined if there are no files. */
export async function openIfThere(folder: string): Promise<OnDisk | undefined> {
  const opened = await openFiles(`${folder}/default.json`, format);
  return opened && toEnvironment(opened.files);
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

export function compact({ files, environment }: OnDisk): Promise<void> {
  return environment.exclusive(() => files.compact());
}

export function emailsOf(data: { preferences: readonly StoredPreferences[] }): Record<string, boolean | undefined> {
  return Object.fromEntries(data.preferences.map(({ subscriberId, global }) => [subscriberId, global.email]));
}

function toEnvironment(files: EnvironmentFiles): OnDisk {
  const clock = createAdjustableClock(systemClock);
  return { files, environment: createStoredEnvironment({ name: "small", state: files.state, log: files, clock }) };
}
