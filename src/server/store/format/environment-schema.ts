// The JSON Schema of an environment file. Records refer to the schemas of the contract.
import type { SchemaObject } from "../../../contract/openapi-document.js";
import { ENVIRONMENT_NAME } from "../../../core/state/environment.js";

export const ENVIRONMENT_FORMAT = "notifications-contract/environment";
export const ENVIRONMENT_VERSION = 2;

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
  // parse-environment.ts checks notifications in full, as responses show them.
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
