// The contract's schemas of responses where none can be compiled: validators that Ajv has written. For `/check` and
// `/fixtures`; the handler does without them.
import type { SchemaChecker } from "../../contract/schema-checker.js";
import { toViolations } from "../../contract/violation.js";
import { validators } from "./responses.gen.js";

export const responseSchemas: Pick<SchemaChecker, "check"> = {
  check(pointer, value, root) {
    const validate = validators[pointer.join("/")];
    if (!validate) throw new Error(`no schema was compiled for ${pointer.join("/")}`);
    return toViolations(validate, value, root);
  },
};
