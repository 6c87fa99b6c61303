// The JSON Schema of a seed file, for editors: the schema that the loader validates by, and those of the contract that it refers to.
import type { OpenApiDocument, SchemaObject } from "../contract/openapi-document.js";
import { ENVIRONMENT_SCHEMA } from "../store/format/environment-schema.js";

type Schemas = Readonly<Record<string, SchemaObject>>;

/** What a file cannot say wrong: the environment's own ids are shown in each notification (D-11). */
const JOINED = ["_environmentId", "_organizationId"];

/** One file, without references to others. Names that have to be unique are checked by the loader alone. */
export function toSeedSchema({ components: { schemas } }: OpenApiDocument): object {
  const { properties, required, ...rest } = ENVIRONMENT_SCHEMA;
  const notifications = { type: "array", items: toStored(schemas.Notification, properties.notifications?.items) };
  const schema = { ...rest, properties: { ...properties, notifications }, required: [...required, "asOf"] };
  const seedSchema = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Seed of notifications-contract",
    ...schema,
    $defs: findReferred(schemas, schema),
  };
  const text = JSON.stringify(seedSchema, (name, value) => (name.startsWith("x-") ? undefined : value));
  return JSON.parse(text.replaceAll(/"(openapi\.yaml)?#\/components\/schemas\//g, '"#/$defs/'));
}

/** A notification of the contract, before anything is joined to it. */
function toStored(api: SchemaObject = {}, own: SchemaObject = {}): SchemaObject {
  return {
    ...api,
    properties: { ...api.properties, ...own.properties },
    required: [...(own.required ?? []), ...(api.required ?? []).filter((name) => !JOINED.includes(name))],
  };
}

/** The schemas that a value refers to, directly or through others. */
function findReferred(schemas: Schemas, value: unknown, result: Record<string, SchemaObject> = {}): Schemas {
  for (const [, name = ""] of JSON.stringify(value).matchAll(/#\/components\/schemas\/(\w+)/g)) {
    const schema = schemas[name];
    if (schema === undefined || name in result) continue;
    result[name] = schema;
    findReferred(schemas, schema, result);
  }
  return result;
}
