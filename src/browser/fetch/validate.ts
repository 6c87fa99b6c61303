// Validates requests with compiled validators, which report the same violations as the Express server.

import { withoutPrototypes } from "../../contract/json.js";
import type { MediaType, Operation } from "../../contract/model.js";
import type { RequestValues } from "../../contract/request-schema.js";
import { describeErrors } from "../../contract/violation.js";
import type { Validation } from "../../core/operations/validate-request.js";
import { requestValidators } from "./validators.gen.js";

/** The compiled validators add defaults in place. */
export function validate({ id }: Operation, values: RequestValues, media?: MediaType): Validation {
  const input = withoutPrototypes(values) as RequestValues & { body: unknown };
  const name = `${id} ${media?.type ?? ""}`;
  const validator = requestValidators[name];
  if (!validator) throw new Error(`src/build/generate-fetch-contract.js writes no validator for ${name}`);
  const errors = validator(input) ? [] : (validator.errors ?? []);
  return { violations: describeErrors(errors), input };
}
