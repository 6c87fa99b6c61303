// Ajv compares values with fast-deep-equal, which calls their `valueOf` and `toString`. Data may have members of these
// names, and a value without a prototype has neither. Imported for its effect, before schemas are compiled.
import { createRequire } from "node:module";
import { isEqual } from "./json.js";

const runtime = createRequire(import.meta.url)("ajv/dist/runtime/equal"); // the module's object, where Ajv looks it up
const { code } = runtime.default; // what compiled code calls it
runtime.default = Object.assign((one: unknown, other: unknown) => isEqual(one, other), { code });
