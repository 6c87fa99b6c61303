// Ajv compares values with fast-deep-equal, which calls their `valueOf` and `toString`. Data may have members of these names, and a
// value without a prototype has neither. Imported for its effect, before schemas are compiled.
import runtime from "ajv/dist/runtime/equal.js";
import { isEqual } from "./json.js";

const { code } = runtime.default; // what compiled code calls it
const equal = Object.assign((one: unknown, other: unknown) => isEqual(one, other), { code });
Object.assign(runtime, { default: equal });
