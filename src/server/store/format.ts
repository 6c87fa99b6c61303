// Environment files and seeds: their JSON Schema, and how they are parsed and validated in full. An error names its line.
import { isUtf8 } from "node:buffer";
import type { CST } from "yaml";
import type { Contract } from "../../contract/contract.js";
import { mapDefined } from "../../contract/lists.js";
import { findNearestName } from "../../contract/nearest-name.js";
import type { SchemaObject } from "../../contract/openapi-document.js";
import type { Schema } from "../../contract/schema.js";
import type { Violation } from "../../contract/violation.js";
import { loadYaml } from "../../contract/yaml-text.js";
import { joinNotification } from "../../core/domain/notifications.js";
import { type EnvironmentData, toMemory } from "../../core/domain/state.js";
import { ENVIRONMENT_NAME, InvalidEnvironmentError } from "../../core/state/environment.js";
import { createEnvironmentState } from "../../core/state/environment-state.js";

const MAX_SHOWN = 5;

/** @throws InvalidEnvironmentError for no JSON, another format or version, or records that the contract forbids. */
export function parseEnvironment(bytes: Buffer, path: string, contract: Contract): EnvironmentData {
  const value = parseText(bytes, path);
  assertFormat(value, path);
  const violations = checkNames(contract.schemaOf(ENVIRONMENT_SCHEMA), value, ["environment"]);
  if (violations.length > 0) throw createInvalidError(path, bytes, violations);
  // Validated above.
  const { checksum: _checksum, $schema: _schema, ...data } = value as EnvironmentData & Record<string, unknown>;
  const inRecords = [...findDuplicates(data), ...checkNotifications(data, contract)];
  if (inRecords.length > 0) throw createInvalidError(path, bytes, inRecords);
  return data;
}

/** @throws InvalidEnvironmentError for another format or version. */
export function assertFormat(value: unknown, path: string): asserts value is object {
  const {
    format,
    version,
    extends: seed,
  } = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
  if (format !== ENVIRONMENT_FORMAT) {
    const reason = `not an environment: its member "format" must be "${ENVIRONMENT_FORMAT}"`;
    throw new InvalidEnvironmentError(path, 1, reason);
  }
  if (version !== undefined && version !== ENVIRONMENT_VERSION) {
    const reason = `written by another release (version ${version}; this one reads ${ENVIRONMENT_VERSION})`;
    throw new InvalidEnvironmentError(path, 1, reason);
  }
  if (seed !== undefined) {
    const reason = "holds only what differs from another seed. Export it once with release 1.1.0, as a whole";
    throw new InvalidEnvironmentError(path, undefined, reason);
  }
}

const UNIQUE = [
  ["workflows", "_id"],
  ["workflows", "identifier"],
  ["subscribers", "_id"],
  ["subscribers", "subscriberId"],
  ["notifications", "_id"],
  ["preferences", "subscriberId"],
  ["recordedResponses", "key"],
] as const;

/** Ids and names are unique, which a schema cannot express. */
function findDuplicates(data: EnvironmentData): Violation[] {
  return mapDefined(UNIQUE, ([list, member]) => {
    const values = (data[list] as unknown as Record<string, string>[]).map((record) => record[member]);
    const known = new Set<unknown>();
    const index = values.findIndex((value) => known.size === known.add(value).size);
    if (index === -1) return undefined;
    return { location: `environment.${list}.${index}.${member}`, message: `${values[index]} occurs twice` };
  });
}

const NOTIFICATION = { $ref: "openapi.yaml#/components/schemas/Notification" };

/** Validates each notification as responses show it, so that lists are always valid. */
function checkNotifications(data: EnvironmentData, contract: Contract): Violation[] {
  const state = createEnvironmentState(toMemory({ ...data, notifications: [] })); // the records that are joined to them
  const schema = contract.schemaOf(NOTIFICATION);
  return data.notifications.flatMap((stored, index) =>
    checkNames(schema, joinNotification(stored, state), ["environment", "notifications", String(index)]),
  );
}

/** The violations of a value, each unknown name with the one that is nearest. */
function checkNames(schema: Schema, value: unknown, place: readonly string[]): Violation[] {
  return schema.check(value, [...place]).map((violation) => {
    const { location, message, code } = violation;
    if (code !== "additionalProperties") return violation;
    const path = location.split(".").slice(place.length);
    const name = path.pop() ?? "";
    const parent = path.reduce<Schema | undefined>(
      (at, part) => (/^\d+$/.test(part) ? at?.items : at?.member(part)),
      schema,
    );
    const nearest = parent && findNearestName(name, [...parent.members.keys()]);
    return { ...violation, message: `${message}${nearest === undefined ? "" : `. Did you mean ${nearest}?`}` };
  });
}

function createInvalidError(path: string, bytes: Buffer, violations: Violation[]): InvalidEnvironmentError {
  const line = findLine(bytes.toString(), violations[0]?.location ?? "");
  const lines = violations.slice(0, MAX_SHOWN).map(({ location, message }) => `${location} ${message}`);
  const more = violations.length > MAX_SHOWN ? `; and ${violations.length - MAX_SHOWN} more` : "";
  return new InvalidEnvironmentError(path, line, `${lines.join("; ")}${more}`);
}

/** @throws InvalidEnvironmentError */
function parseText(bytes: Buffer, path: string): unknown {
  const text = decode(bytes, path);
  if (text.trim() === "") throw new InvalidEnvironmentError(path, 1, "the file is empty");
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = (error as SyntaxError).message.replaceAll(/\s+/g, " "); // it quotes the file, with line breaks
    throw new InvalidEnvironmentError(path, findSyntaxError(text), `not JSON: ${reason}`);
  }
}

/** Rejects bytes that are not UTF-8: replaced by U+FFFD, they would be lost with the next write. */
function decode(bytes: Buffer, path: string): string {
  const text = bytes.toString("utf8");
  if (!isUtf8(bytes)) {
    const line = text.slice(0, text.indexOf("\uFFFD")).split("\n").length;
    throw new InvalidEnvironmentError(path, line, "not UTF-8");
  }
  if (text.startsWith("\uFEFF")) throw new InvalidEnvironmentError(path, 1, "starts with a byte order mark; remove it");
  return text;
}

const ENVIRONMENT_FORMAT = "notifications-contract/environment";
const ENVIRONMENT_VERSION = 2;

const objectId = { $ref: "openapi.yaml#/components/schemas/ObjectId" };
const timestamp = {
  $ref: "openapi.yaml#/components/schemas/Timestamp",
  pattern: String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:[0-5]\d\.\d{3}Z$`, // one form, so that texts sort like times
};
const channels = { $ref: "openapi.yaml#/components/schemas/ChannelPreferences" };
const text = { type: "string", minLength: 1 };
const texts = { type: "array", items: text };

const layer = closed({ enabled: { type: "boolean" }, readOnly: { type: "boolean" }, channels }, []);

const workflow = closed(
  {
    _id: objectId,
    identifier: text,
    name: { type: "string" },
    active: { type: "boolean" },
    origin: { $ref: "openapi.yaml#/components/schemas/NotificationTemplate/properties/origin" },
    tags: texts,
    variables: texts,
    steps: listOf(
      closed({
        _id: objectId,
        type: { $ref: "openapi.yaml#/components/schemas/StepType" },
        name: { type: "string" },
        active: { type: "boolean" },
      }),
    ),
    defaults: closed({ code: layer, dashboard: layer }, []),
    createdAt: timestamp,
    updatedAt: timestamp,
  },
  ["_id", "identifier", "name", "active", "origin", "tags", "variables", "steps", "createdAt", "updatedAt"],
);

const preferences = closed({
  subscriberId: text,
  global: channels,
  workflows: listOf(closed({ workflowId: objectId, channels })),
});

const recordedResponse = closed({
  key: text,
  fingerprint: text,
  recordedAt: timestamp,
  status: { type: "integer" },
  headers: { type: "object", additionalProperties: { type: "string" } },
  body: {},
});

const environment: Record<string, SchemaObject> = {
  $schema: { type: "string" }, // for editors
  format: { const: ENVIRONMENT_FORMAT },
  version: { const: ENVIRONMENT_VERSION },
  name: { type: "string", pattern: ENVIRONMENT_NAME.source },
  keyHash: { type: "string", pattern: "^[0-9a-f]{64}$" },
  contract: { type: "string", pattern: "^[0-9a-f]{64}$" },
  asOf: timestamp, // of a seed
  environmentId: objectId,
  organizationId: objectId,
  workflows: listOf(workflow),
  subscribers: listOf({ $ref: "openapi.yaml#/components/schemas/NotificationSubscriber" }),
  preferences: listOf(preferences),
  // `parseEnvironment` checks notifications in full, as responses show them.
  notifications: listOf({
    type: "object",
    properties: { createdAt: timestamp, updatedAt: timestamp },
    required: ["_id", "createdAt", "channels"],
  }),
  recordedResponses: listOf(recordedResponse),
  checksum: { type: "string" }, // in files written by the server; ignored if it does not match
};

const OPTIONAL = new Set(["$schema", "keyHash", "contract", "asOf", "checksum"]);

export const ENVIRONMENT_SCHEMA = closed(
  environment,
  Object.keys(environment).filter((name) => !OPTIONAL.has(name)),
);

function closed(properties: Record<string, SchemaObject>, required: string[] = Object.keys(properties)): SchemaObject {
  return { type: "object", properties, required, additionalProperties: false };
}

function listOf(items: SchemaObject): SchemaObject {
  return { type: "array", items };
}

const MAX_LENGTH = 8 * 1024 * 1024; // a longer text would take many seconds

/**
 * The line, counted from 1, of a location such as `environment.workflows.0.name`, or of its nearest parent. JSON is parsed
 * as YAML, whose nodes have positions. In
 *   1  { "name": "default",
 *   2    "subscribers": [{ "_id": 7 }, ] }
 * `environment.subscribers.0._id` is in line 2, and so is the first syntax error, the trailing comma.
 */
function findLine(text: string, location: string): number | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const { yaml, lines, document } = parse(text);
  const [, ...path] = location.split(".");
  while (path.length > 0 && !yaml.isNode(document.getIn(path, true))) path.pop();
  const node = document.getIn(path, true);
  return yaml.isNode(node) && node.range ? lines.linePos(node.range[0]).line : undefined;
}

/** The line of the first syntax error. */
function findSyntaxError(text: string): number | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const { yaml, lines, document } = parse(text.trimEnd());
  const offsets = document.errors.map(({ pos }) => pos[0]);
  yaml.visit(document, {
    Node(_key, node) {
      const [start, end] = node.range ?? [0, 0];
      const isOfYaml = yaml.isScalar(node) && (node.type === "QUOTE_SINGLE" || text.slice(start, end).includes("\n"));
      if (isOfYaml) offsets.push(start); // JSON has no such scalar
      offsets.push(...findLastComma(node.srcToken));
    },
  });
  return offsets.length === 0 ? undefined : lines.linePos(Math.min(...offsets)).line;
}

function parse(text: string) {
  const yaml = loadYaml();
  const lines = new yaml.LineCounter();
  const options = { schema: "json", uniqueKeys: false, keepSourceTokens: true, prettyErrors: false } as const;
  return { yaml, lines, document: yaml.parseDocument(text, { ...options, lineCounter: lines }) };
}

/** The offset of a trailing comma. */
function findLastComma(token: CST.Token | undefined): number[] {
  const last = token?.type === "flow-collection" ? token.items.at(-1) : undefined;
  if (!last || last.key || last.value) return [];
  return last.start.filter(({ type }) => type === "comma").map(({ offset }) => offset);
}
