// Environment files and seeds as text: parsed, and checked in full before anything of them is used.
import { isUtf8 } from "node:buffer";
import type { Contract } from "../contract/contract.js";
import type { Violation } from "../contract/schema-checker.js";
import { toNotification } from "../domain/notifications.js";
import type { EnvironmentData } from "../domain/state.js";
import { BrokenEnvironmentError } from "./broken-environment.js";
import { ENVIRONMENT_SCHEMA } from "./environment-schema.js";
import { createEnvironmentState, toContents } from "./environment-state.js";

const FORMAT = "notifications-contract/environment";
const VERSION = 1;
const MOST_SHOWN = 5;

/**
 * The environment in a file.
 * @throws BrokenEnvironmentError where it is not JSON, of another format or version, or not inside the contract.
 */
export function parseEnvironment(bytes: Buffer, path: string, contract: Contract): EnvironmentData {
  const value = parseJson(decode(bytes, path), path);
  assertFormat(value, path);
  const problems = contract.schemas.checkBy(ENVIRONMENT_SCHEMA, value, "environment");
  if (problems.length > 0) throw toError(path, problems);
  const data = value as EnvironmentData; // proven by the schema
  const records = [...checkIdentity(data), ...checkNotifications(data, contract)];
  if (records.length > 0) throw toError(path, records);
  return data;
}

/** Read leniently, bytes that are not UTF-8 would be replaced, and lost with the next write. */
function decode(bytes: Buffer, path: string): string {
  const text = bytes.toString("utf8");
  if (!isUtf8(bytes)) throw new BrokenEnvironmentError(path, lineAt(text, text.indexOf("\uFFFD")), "not UTF-8");
  if (text.startsWith("\uFEFF")) throw new BrokenEnvironmentError(path, 1, "starts with a byte order mark; remove it");
  return text;
}

function parseJson(text: string, path: string): unknown {
  if (text.trim() === "") throw new BrokenEnvironmentError(path, 1, "the file is empty");
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = (error as SyntaxError).message.replaceAll(/\s+/g, " "); // it quotes the file, line ends included
    throw new BrokenEnvironmentError(path, findBrokenLine(text.trimEnd()), `not JSON: ${reason}`);
  }
}

/** The first line that cannot stand after those before it. V8 gives a position for some faults only. */
function findBrokenLine(text: string): number {
  const lines = text.split("\n");
  let sound = 0;
  let broken = lines.length;
  while (broken - sound > 1) {
    const middle = Math.floor((sound + broken) / 2);
    if (couldGoOn(`${lines.slice(0, middle).join("\n")}\n`)) sound = middle;
    else broken = middle;
  }
  return broken;
}

/** Whether a text is JSON, or would be if it went on. */
function couldGoOn(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const { message } = error as SyntaxError;
    return message.includes("end of JSON input") || message.includes(`at position ${text.length}`);
  }
}

function lineAt(text: string, position: number): number {
  return text.slice(0, position).split("\n").length;
}

function assertFormat(value: unknown, path: string): void {
  const { format, version } = (typeof value === "object" && value !== null ? value : {}) as Partial<EnvironmentData>;
  if (format !== FORMAT) {
    throw new BrokenEnvironmentError(path, 1, `not an environment: its member "format" must be "${FORMAT}"`);
  }
  if (typeof version === "number" && version > VERSION) {
    throw new BrokenEnvironmentError(
      path,
      1,
      `written by a newer release (version ${version}; this one reads ${VERSION})`,
    );
  }
}

/** What a schema cannot say: ids and names that have to be unique. */
function checkIdentity(data: EnvironmentData): Violation[] {
  const lists: [string, string[]][] = [
    ["workflows._id", data.workflows.map(({ _id }) => _id)],
    ["workflows.identifier", data.workflows.map(({ identifier }) => identifier)],
    ["subscribers._id", data.subscribers.map(({ _id }) => _id)],
    ["subscribers.subscriberId", data.subscribers.map(({ subscriberId }) => subscriberId)],
    ["notifications._id", data.notifications.map(({ _id }) => _id)],
    ["preferences.subscriberId", data.preferences.map(({ subscriberId }) => subscriberId)],
    ["recordedAnswers.key", data.recordedAnswers.map(({ key }) => key)],
  ];
  return lists.flatMap(([location, values]) => {
    const seen = new Set<string>();
    const twice = values.find((value) => seen.size === seen.add(value).size);
    return twice === undefined ? [] : [{ location, message: `${twice} is there twice` }];
  });
}

/** Each notification, as the contract will show it, is inside the contract: so no list can be outside it later. */
function checkNotifications(data: EnvironmentData, contract: Contract): Violation[] {
  const state = createEnvironmentState(toContents({ ...data, notifications: [] })); // what is joined to them
  return data.notifications.flatMap((stored, index) =>
    contract.schemas.check(
      ["components", "schemas", "Notification"],
      toNotification(stored, state),
      `notifications.${index}`,
    ),
  );
}

function toError(path: string, problems: Violation[]): BrokenEnvironmentError {
  const shown = problems.slice(0, MOST_SHOWN).map(({ location, message }) => `${location} ${message}`);
  const more = problems.length > MOST_SHOWN ? `; and ${problems.length - MOST_SHOWN} more` : "";
  return new BrokenEnvironmentError(path, undefined, `${shown.join("; ")}${more}`);
}
