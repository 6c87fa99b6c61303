// The JSON Schema of a seed, for editors: that of an environment file, with the contract's schemas that it refers to.
import { ENVIRONMENT_SCHEMA } from "../server/store/format.js";

/** @param schemas the contract's, by name. */
export function buildSeedSchema(schemas: Readonly<Record<string, unknown>>): object {
  const { required = [], ...environment } = ENVIRONMENT_SCHEMA;
  const reached = new Map<string, unknown>();
  const reach = (schema: unknown): void => {
    const names = [...JSON.stringify(schema).matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name = ""]) => name);
    for (const name of names.filter((name) => !reached.has(name))) reach(reached.set(name, schemas[name]).get(name));
  };
  reach(environment);
  const schema = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "A seed of notifications-contract",
    ...environment,
    required: [...required, "asOf"],
    $defs: Object.fromEntries(reached),
  };
  return JSON.parse(JSON.stringify(schema).replaceAll(/(openapi\.yaml)?#\/components\/schemas\//g, "#/$defs/"));
}
