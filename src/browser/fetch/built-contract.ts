// The contract from the time of the build, for places without files.
import type { ErrorObject } from "ajv";
import type { SchemaNode } from "../../contract/copy-schema.js";
import { createModel } from "../../contract/create-model.js";
import { followReferences } from "../../contract/normalize.js";
import { digest, document } from "./contract.gen.js";
import { textValidators } from "./validators.gen.js";

type Validator = ((value: unknown) => boolean) & { errors?: null | ErrorObject[] };

const normal = followReferences({ value: document, placeOf: () => ({ path: "openapi.yaml", line: 1 }) });

/** @param validators of schemas, by their places: those of responses are a large module, which few need. */
export function createBuiltContract(validators: Readonly<Record<string, unknown>>) {
  function errorsOf(schema: SchemaNode, value: unknown): readonly ErrorObject[] {
    const name = typeof schema === "boolean" ? undefined : normal.pointerOf(schema)?.join("/");
    const validate = name === undefined ? undefined : (validators[name] as Validator | undefined);
    if (!validate) throw new Error(`src/build/generate-fetch-contract.js writes no validator for ${name}`);
    return validate(value) ? [] : (validate.errors ?? []);
  }
  return { file: { digest }, ...createModel(normal, { errorsOf }) };
}

export const contract = createBuiltContract(textValidators);
