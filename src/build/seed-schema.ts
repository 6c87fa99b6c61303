// The JSON Schema of a seed file, for editors: the schema that the loader validates by, and those of the contract that it refers to.
import {
  type OpenApiDocument,
  pickComponents,
  rewriteReferences,
  type SchemaObject,
} from "../contract/openapi-document.js";
import { ENVIRONMENT_SCHEMA } from "../server/store/format/environment-schema.js";

/** A file cannot get these wrong: each notification shows the environment's own ids (D-11). */
const JOINED = ["_environmentId", "_organizationId"];

/** One file, without references to others. Names that have to be unique are checked by the loader alone. */
export function toSeedSchema(document: OpenApiDocument): object {
  const { schemas } = document.components;
  const { properties, required, ...rest } = ENVIRONMENT_SCHEMA;
  const notifications = { type: "array", items: toStored(schemas.Notification, properties.notifications?.items) };
  const schema = rewriteReferences(
    { ...rest, properties: { ...properties, notifications }, required: [...required, "asOf"] },
    (reference) => reference.replace("openapi.yaml#", "#"),
  );
  const seedSchema = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Seed of notifications-contract",
    ...schema,
    $defs: pickComponents(schema, document).schemas,
  };
  const text = JSON.stringify(seedSchema, (name, value) => (name.startsWith("x-") ? undefined : value));
  return rewriteReferences(JSON.parse(text), (reference) => reference.replace("#/components/schemas/", "#/$defs/"));
}

/** A notification of the contract, before anything is joined to it. */
function toStored(api: SchemaObject = {}, own: SchemaObject = {}): SchemaObject {
  return {
    ...api,
    properties: { ...api.properties, ...own.properties },
    required: [...(own.required ?? []), ...(api.required ?? []).filter((name) => !JOINED.includes(name))],
  };
}
