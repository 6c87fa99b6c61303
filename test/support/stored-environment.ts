// Reads an environment from its folder as data/README.md describes, independently of our code.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";

// biome-ignore lint/suspicious/noExplicitAny: JSON of another program
type Json = any;

/** Returns undefined if the environment was removed. */
export function readStored(folder: string, name = "default"): Json {
  const changes = readJournal(join(folder, `${name}.journal`));
  if (changes.some((change) => change.type === "removed")) return undefined;
  const { checksum: _checksum, ...environment } = JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8"));
  for (const change of changes) make(environment, change);
  return environment;
}

/** Returns the changes of all complete lines. An incomplete last line, or one with zeros, was never acknowledged. */
function readJournal(path: string): Json[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, "utf8").split("\n");
  const commits = lines.slice(0, -1).map((line) => {
    const [, length, checksum, json = ""] = /^(\d+) (\w{8}) (.*)$/.exec(line) ?? [];
    const isWhole = Buffer.byteLength(json) === Number(length) && crc32(json) === Number.parseInt(checksum ?? "", 16);
    return isWhole ? JSON.parse(json) : undefined;
  });
  if (commits.at(-1) === undefined && lines.at(-2)?.includes("\0")) commits.pop();
  if (commits.includes(undefined)) throw new Error(`${path} is damaged`);
  return commits.flat();
}

function make(environment: Json, change: Json): void {
  const put = (list: string, key: string, ...records: Json[]) => {
    const keys = new Set(records.map((record) => record[key]));
    environment[list] = [...environment[list].filter((record: Json) => !keys.has(record[key])), ...records];
  };
  const drop = (list: string, key: string, value: string) => {
    environment[list] = environment[list].filter((record: Json) => record[key] !== value);
  };
  if (change.type === "preferencesSet") put("preferences", "subscriberId", change.preferences);
  else if (change.type === "responseRecorded") put("recordedResponses", "key", change.response);
  else if (change.type === "notificationsAdded") put("notifications", "_id", ...change.notifications);
  else if (change.type === "notificationRemoved") drop("notifications", "_id", change.notificationId);
  else if (change.type === "subscriberAdded") {
    drop("subscribers", "_id", change.subscriber._id);
    put("subscribers", "subscriberId", change.subscriber);
  } else if (change.type === "workflowAdded") {
    drop("workflows", "_id", change.workflow._id);
    put("workflows", "identifier", change.workflow);
  } else if (change.type === "subscriberRemoved") {
    for (const list of ["subscribers", "preferences"]) drop(list, "subscriberId", change.subscriberId);
  } else if (change.type === "workflowRemoved") {
    drop("workflows", "_id", change.workflowId);
    for (const preferences of environment.preferences) {
      preferences.workflows = preferences.workflows.filter((entry: Json) => entry.workflowId !== change.workflowId);
    }
  } else if (change.type === "replaced") {
    const { name, keyHash } = environment;
    for (const member of Object.keys(environment)) delete environment[member];
    Object.assign(environment, change.data, { name }, keyHash && { keyHash });
  } else throw new Error(`unknown change ${change.type}`);
}
