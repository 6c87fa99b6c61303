// Creates environments. POST /_control/environments with { "name": "ann", "apiKey": "ann-key", "durable": true }:
//   check    nobody has the name or the key, and none is just getting it
//   claim    nobody else gets them from here on
//   store    ann.json is written and synced, beside an empty ann.journal; not over files that somebody else has put there
//   add      ann-key opens the environment
// Should the disk fail, there is neither environment nor file.
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Contract } from "../../contract/contract.js";
import type { Clock } from "../../core/domain/clock.js";
import type { EnvironmentData, Seed, SerializedNotification } from "../../core/domain/state.js";
import { ENVIRONMENT_NAME, type Environment } from "../../core/state/environment.js";
import { toInitialContents } from "../../core/state/seed-environment.js";
import { createFiles, finishRemoval, toJournalPath } from "./disk/environment-files.js";
import { type EnvironmentRegistry, hashKey } from "./environment-registry.js";
import { createFormat } from "./format/parse-environment.js";

export interface NewEnvironment {
  name: string;
  /** Opens it. */
  apiKey: string;
  seed: Seed;
  /** The instant that becomes the seed's `asOf`. Default: the present, to a minute. */
  now?: Date;
  /** Default: that of the seed. */
  environmentId?: string;
  /** Kept in the folder. Needs a store that has one. */
  isDurable: boolean;
}

/** A name or key that a new environment cannot have. */
export class EnvironmentTakenError extends Error {
  override name = "EnvironmentTakenError";
}

interface Parts {
  contract: Contract;
  folder: string | undefined;
  clock: Clock;
  registry: EnvironmentRegistry;
}

type Contents = EnvironmentData<SerializedNotification>;

/** See `Store.create`. */
export async function createNew(
  { name, apiKey, seed, now, environmentId, isDurable }: NewEnvironment,
  parts: Parts,
): Promise<Environment> {
  const { contract, clock, registry } = parts;
  if (!ENVIRONMENT_NAME.test(name)) throw new Error(`"${name}" cannot be the name of an environment`);
  if (registry.isNameTaken(name)) throw new EnvironmentTakenError(`Environment ${name} already exists`);
  const keyHash = hashKey(apiKey);
  if (registry.isKeyTaken(keyHash)) throw new EnvironmentTakenError(`The key of ${name} opens another environment`);
  const initial = toInitialContents(seed, contract, name, { clock, now });
  const contents = {
    ...initial,
    environmentId: environmentId ?? initial.environmentId,
    keyHash: keyHash.toString("hex"),
  };
  return registry.claim(name, keyHash, () => addNew(contents, isDurable, parts));
}

/** Adds an environment whose name and key nobody else can have, and stores it first if it is durable. */
export async function addNew(contents: Contents, isDurable: boolean, parts: Parts): Promise<Environment> {
  const { contract, folder, registry } = parts;
  const { name } = contents;
  if (!isDurable || folder === undefined) return registry.add(name, contents);
  const path = join(folder, `${name}.json`);
  await finishRemoval(path);
  const journal = toJournalPath(path);
  const isJournal = (statSync(journal, { throwIfNoEntry: false })?.size ?? 0) > 0;
  if (existsSync(path)) throw new EnvironmentTakenError(`The file ${path} already exists`);
  if (isJournal) throw new EnvironmentTakenError(`The file ${journal} already exists`);
  return registry.add(name, contents, await createFiles(path, createFormat(contract, name, path), contents));
}
