// Validates requests with compiled validators, which report the same violations as the Express server.
import type { Operation } from "../../contract/model.js";
import { type RequestValues, withoutPrototypes } from "../../contract/request-schema.js";
import { describeErrors } from "../../contract/violation.js";
import type { Validation } from "../../core/operations/validate-request.js";
import { requestValidators } from "./validators.gen.js";

/** The compiled validators add defaults in place. */
export function validate({ id }: Operation, values: RequestValues): Validation {
  const input = withoutPrototypes(values) as RequestValues & { body: unknown };
  const validator = requestValidators[id];
  const errors = validator?.(input) === false ? (validator.errors ?? []) : [];
  return { violations: describeErrors(errors), input };
}
