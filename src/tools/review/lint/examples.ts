// The examples of the contract: what has to have one has one, and each is valid.
import type { Pointer } from "../../../contract/contract-file.js";
import { isData, isNameMap, walkContract } from "../../../contract/walk-contract.js";
import type { LintRule } from "./lint-rule.js";

/** Parameters whose value must be new for each request: a tool that sends examples would reuse theirs. */
const UNIQUE_PER_REQUEST = new Set<unknown>(["idempotency-key"]);

/**
 * Every schema, parameter, header, request body and response has an example. The schema of a whole response has none: the response
 * has them, and Prism would prefer the schema's (@stoplight/http-spec 7.1.0).
 */
export const requiredExamples: LintRule = ({ document, file }) => {
  const objects = [...walkContract(document)];
  const media = objects.filter(({ pointer }) => pointer.at(-2) === "content");
  const roots = media
    .filter(({ pointer }) => pointer.includes("responses"))
    .map(({ value }) => (value.schema as { $ref?: string } | undefined)?.$ref);
  const isComponent = (pointer: Pointer) => pointer[0] === "components" && pointer.length === 3;
  // A part of a schema that stands in another file is no component of this one.
  const components = objects.filter(({ pointer }) => isComponent(pointer) && isComponent(file.writtenAt(pointer)));
  return [...components, ...media].flatMap(({ pointer, value }) => {
    const [, section] = pointer;
    const has = value.example !== undefined || Object.keys(value.examples ?? {}).length > 0;
    const isRoot = roots.includes(`#/${pointer.join("/")}`);
    const name = pointer.join(" › ");
    if (isRoot && has)
      return [
        {
          pointer,
          code: "not here",
          message: `${name} has an example, which Prism would prefer to those of the response. Remove it`,
        },
      ];
    const needsOne = pointer.at(-2) === "content" || ["schemas", "parameters", "headers"].includes(String(section));
    if (has || isRoot || !needsOne || UNIQUE_PER_REQUEST.has(value.name)) return [];
    return [{ pointer, code: "missing", message: `${name} has no example` }];
  });
};

/**
 * Examples and defaults are valid by their schemas, which the contract has compiled. (Those of bodies are checked with their
 * replay.) Spectral's rules compile a schema for each example, which takes longer than all other rules together.
 */
export const validExamples: LintRule = ({ document, schemas }) =>
  [...walkContract(document)].flatMap(({ pointer, value }) => {
    if (isNameMap(pointer)) return [];
    const { example, examples, default: initial, schema } = value;
    // A parameter or header has its schema beside the example; a schema has it in itself.
    const place: Pointer = schema === undefined ? pointer : [...pointer, "schema"];
    const all = [
      ...(example === undefined ? [] : [{ key: "example", sample: example }]),
      ...(Array.isArray(examples) ? examples.map((sample) => ({ key: "examples", sample })) : []),
      ...(initial === undefined || !isData("default", pointer) ? [] : [{ key: "default", sample: initial }]),
    ];
    return all.flatMap(({ key, sample }) =>
      schemas
        .check(place, sample, key)
        .slice(0, 1)
        .map(({ location, message, keyword = "invalid" }) => ({
          pointer: [...pointer, key],
          code: keyword,
          message: `${pointer.join(" › ")}: ${location} ${message}`,
          location,
        })),
    );
  });
