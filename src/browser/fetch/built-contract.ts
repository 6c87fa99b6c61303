// The contract from the time of the build, and its validation of requests, for places without files.
import type { ErrorObject } from "ajv";
import { createModel } from "../../contract/create-model.js";
import { withoutPrototypes } from "../../contract/json.js";
import type { MediaType, Operation } from "../../contract/model.js";
import { followReferences } from "../../contract/normal-document.js";
import type { RequestValues } from "../../contract/operation.js";
import type { SchemaNode } from "../../contract/schema-node.js";
import { describeErrors } from "../../contract/violation.js";
import type { Validation } from "../../core/request/validate.js";
import { digest, document } from "./contract.gen.js";
import { requestValidators, textValidators } from "./validators.gen.js";

type Validator = ((value: unknown) => boolean) & { errors?: null | ErrorObject[] };

const normal = followReferences({ value: document, path: "openapi.yaml", lineOf: () => 1 });

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

/** Reports the same violations as the Express server. The compiled validators add defaults in place. */
export function validate({ id }: Operation, values: RequestValues, media?: MediaType): Validation {
  const input = withoutPrototypes(values) as RequestValues & { body: unknown };
  const name = `${id} ${media?.type ?? ""}`;
  const validator = requestValidators[name];
  if (!validator) throw new Error(`src/build/generate-fetch-contract.js writes no validator for ${name}`);
  const errors = validator(input) ? [] : (validator.errors ?? []);
  return { violations: describeErrors(errors), input };
}
