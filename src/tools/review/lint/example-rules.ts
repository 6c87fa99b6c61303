// The rules for examples: they exist where they are needed, and each is valid.
import type { Contract } from "../../../contract/contract.js";
import type { SchemaNode } from "../../../contract/copy-schema.js";
import { mapDefined } from "../../../contract/lists.js";
import type { Pointer } from "../../../contract/pointer.js";
import type { Schema } from "../../../contract/schema.js";
import { walkContract } from "../../../contract/walk-contract.js";

/** Parameters whose value must be unique per request: a tool that sends examples would reuse it. */
const UNIQUE_PER_REQUEST = new Set<unknown>(["idempotency-key"]);

/**
 * Every schema, parameter, header, request body and response needs an example, except the schema of a whole response:
 * Prism would prefer its examples to those of the response (@stoplight/http-spec 7.1.0).
 */
export function requiredExamples(contract: Contract) {
  const objects = [...walkContract(contract)];
  const media = objects.filter(({ pointer }) => pointer.at(-2) === "content");
  const roots = new Map(
    media
      .filter(({ pointer }) => pointer.includes("responses"))
      .map(({ pointer, value }) => [(value.schema as { $ref?: string } | undefined)?.$ref, pointer]),
  );
  const isComponent = (pointer: Pointer) => pointer[0] === "components" && pointer.length === 3;
  const components = objects.filter(({ pointer }) => isComponent(pointer));
  return mapDefined([...components, ...media], ({ pointer, value }) => {
    const [, section] = pointer;
    const has = value.example !== undefined || Object.keys(value.examples ?? {}).length > 0;
    const root = roots.get(`#/${pointer.join("/")}`);
    const name = pointer.join(" › ");
    if (root && has) {
      const response = root.slice(0, -2).join(" › ");
      const message = `${name} has an example, which Prism would prefer to those of ${response}. Remove it`;
      return { pointer, code: "not here", message };
    }
    const needsOne = pointer.at(-2) === "content" || ["schemas", "parameters", "headers"].includes(String(section));
    if (has || root || !needsOne || UNIQUE_PER_REQUEST.has(value.name)) return undefined;
    return { pointer, code: "missing", message: `${name} has no example` };
  });
}

/**
 * Examples and defaults are valid against their schemas, which the contract has compiled. Bodies are checked when they
 * are replayed. Spectral compiles a schema per example, which takes longer than all other rules together.
 */
export function validExamples(contract: Contract) {
  return [...walkContract(contract)].flatMap(({ kind, pointer, value }) => {
    const { example, examples, default: initial } = value;
    // A parameter or header has its schema beside the example; a schema is its own.
    const schema = kind === "schema" ? value : value.schema;
    if (schema === undefined) return [];
    const all = [
      ...(example === undefined ? [] : [{ key: "example", sample: example }]),
      ...(Array.isArray(examples) ? examples.map((sample) => ({ key: "examples", sample })) : []),
      ...(initial === undefined || kind !== "schema" ? [] : [{ key: "default", sample: initial }]),
    ];
    const whole = contract.schemaOf(schema as SchemaNode);
    return all.flatMap(({ key, sample }) => {
      const [violation] = whole.check(sample, [key]);
      if (!violation) return [];
      const { location, path = [], message, code = "invalid" } = violation;
      return {
        pointer: [...pointer, key],
        code,
        message: `${pointer.join(" › ")}: ${location} ${message}`,
        about: findViolated(whole, path.slice(1), code),
      };
    });
  });
}

/** Where the contract says what a value violates: its schema, or its name and the keyword in the schema around it. */
function findViolated(schema: Schema, path: readonly string[], keyword: string): Pointer[] {
  const placeAt = (steps: readonly string[]) => findPlace(schema.at(steps)) ?? [];
  const outer = placeAt(path.slice(0, -1));
  const places = [placeAt(path), [...outer, "properties", ...path.slice(-1)], [...outer, keyword]];
  return places.filter(({ length }) => length > 0);
}

/** The place of the schema that references lead to. */
export function findPlace(schema: Schema | undefined): Pointer | undefined {
  return schema?.target ? findPlace(schema.target) : schema?.pointer;
}
