// Reads an environment from its folder as data/README.md says, with nothing of ours: another program could do the same.
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";

// biome-ignore lint/suspicious/noExplicitAny: JSON of another program
type Json = any;

/** The environment; undefined where it was removed, or a running server has just put another JSON file in place. */
export function readStored(folder: string, name = "default"): Json {
  const journal = readJournal(join(folder, `${name}.journal`));
  if (journal.some(({ changes }) => changes?.some((change: Json) => change.type === "removed"))) return undefined;
  const bytes = readFileSync(join(folder, `${name}.json`));
  const digest = createHash("sha256").update(bytes).digest("hex");
  const continued = journal.findLast((entry) => entry.file === digest);
  if (journal.length > 0 && !continued) return undefined;
  const commits = journal.filter((entry) => entry.changes && entry.commit > continued.commit);
  const environment = JSON.parse(bytes.toString());
  for (const change of commits.flatMap(({ changes }) => changes)) make(environment, change);
  return environment;
}

function readJournal(path: string): Json[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, "utf8").split("\n");
  const entries = lines.map((line) => {
    const [checksum, json] = [line.slice(0, 8), line.slice(9)];
    return crc32(json).toString(16).padStart(8, "0") === checksum && JSON.parse(json);
  });
  const whole = entries.slice(0, -1); // behind the last line feed stands nothing, or a torn line
  if (whole.at(-1) === false) whole.pop();
  if (whole.includes(false)) throw new Error(`${path} is damaged`);
  return whole;
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
  else if (change.type === "answerRecorded") put("recordedAnswers", "key", change.answer);
  else if (change.type === "notificationsAdded") put("notifications", "_id", ...change.notifications);
  else if (change.type === "notificationRemoved") drop("notifications", "_id", change.notificationId);
  else if (change.type === "subscriberAdded") put("subscribers", "subscriberId", change.subscriber);
  else if (change.type === "workflowAdded") put("workflows", "_id", change.workflow);
  else if (change.type === "subscriberRemoved") {
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
