// Examples and defaults are valid by their schemas, which the contract has compiled. (Those of bodies are checked with their
// replay.) Spectral's rules compile a schema for each example, which takes longer than all other rules together.
import type { Pointer } from "../../contract/contract-file.js";
import { isData, isNameMap, walkContract } from "../contract-objects.js";
import type { LintRule } from "./lint-rule.js";

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
        .map(({ location, message }) => ({
          pointer: [...pointer, key],
          message: `${pointer.join(" › ")}: ${location} ${message}`,
          location,
        })),
    );
  });
