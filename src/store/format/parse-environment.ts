// Environment files and seeds as text: parsed, and checked in full before anything of them is used.
import type { Contract } from "../../contract/contract.js";
import type { Violation } from "../../contract/schema-checker.js";
import { toNotification } from "../../domain/notifications.js";
import type { EnvironmentData } from "../../domain/state.js";
import { toWorkflowId } from "../../domain/workflow-id.js";
import { createEnvironmentState } from "../state/environment-state.js";
import { toContents } from "./environment-contents.js";
import { ENVIRONMENT_SCHEMA } from "./environment-schema.js";
import { ENVIRONMENT_FORMAT, ENVIRONMENT_VERSION, toCurrentVersion } from "./environment-version.js";
import { InvalidEnvironmentError } from "./invalid-environment-error.js";
import { parseJson } from "./parse-json.js";

const MAX_SHOWN = 5;

/**
 * The environment in a file.
 * @throws InvalidEnvironmentError where it is not JSON, of another format or version, or not inside the contract.
 */
export function parseEnvironment(bytes: Buffer, path: string, contract: Contract): EnvironmentData {
  const value = parseJson(bytes, path);
  assertFormat(value, path);
  const current = toCurrentVersion(value);
  const violations = contract.schemas.checkBy(ENVIRONMENT_SCHEMA, current, "environment");
  if (violations.length > 0) throw toError(path, violations);
  const data = current as EnvironmentData; // proven by the schema
  const inRecords = [
    ...findDuplicates(data),
    ...findMisleadingIdentifiers(data),
    ...checkNotifications(data, contract),
  ];
  if (inRecords.length > 0) throw toError(path, inRecords);
  return data;
}

function assertFormat(value: unknown, path: string): asserts value is object {
  const { format, version } = (typeof value === "object" && value !== null ? value : {}) as Partial<EnvironmentData>;
  if (format !== ENVIRONMENT_FORMAT) {
    const reason = `not an environment: its member "format" must be "${ENVIRONMENT_FORMAT}"`;
    throw new InvalidEnvironmentError(path, 1, reason);
  }
  if (typeof version === "number" && version > ENVIRONMENT_VERSION) {
    const reason = `written by a newer release (version ${version}; this one reads ${ENVIRONMENT_VERSION})`;
    throw new InvalidEnvironmentError(path, 1, reason);
  }
}

/** What a schema cannot say: ids and names that have to be unique. */
function findDuplicates(data: EnvironmentData): Violation[] {
  const lists: [string, string[]][] = [
    ["workflows._id", data.workflows.map(({ _id }) => _id)],
    ["workflows.identifier", data.workflows.map(({ identifier }) => identifier)],
    ["subscribers._id", data.subscribers.map(({ _id }) => _id)],
    ["subscribers.subscriberId", data.subscribers.map(({ subscriberId }) => subscriberId)],
    ["notifications._id", data.notifications.map(({ _id }) => _id)],
    ["preferences.subscriberId", data.preferences.map(({ subscriberId }) => subscriberId)],
    ["recordedResponses.key", data.recordedResponses.map(({ key }) => key)],
  ];
  return lists.flatMap(([location, values]) => {
    const keys = new Set<string>();
    const duplicate = values.find((value) => keys.size === keys.add(value).size);
    return duplicate === undefined ? [] : [{ location, message: `${duplicate} is there twice` }];
  });
}

/** Identifiers that lead to another workflow, being its `_id` or slug (D-16). */
function findMisleadingIdentifiers({ workflows }: EnvironmentData): Violation[] {
  const ids = new Set(workflows.map(({ _id }) => _id));
  return workflows
    .map(({ _id, identifier }) => ({ _id, identifier, target: toWorkflowId(identifier) ?? _id }))
    .filter(({ _id, target }) => target !== _id && ids.has(target))
    .map(({ identifier, target }) => ({
      location: "workflows.identifier",
      message: `${identifier} is the _id or a slug of the workflow ${target}`,
    }));
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

function toError(path: string, violations: Violation[]): InvalidEnvironmentError {
  const lines = violations.slice(0, MAX_SHOWN).map(({ location, message }) => `${location} ${message}`);
  const more = violations.length > MAX_SHOWN ? `; and ${violations.length - MAX_SHOWN} more` : "";
  return new InvalidEnvironmentError(path, undefined, `${lines.join("; ")}${more}`);
}
