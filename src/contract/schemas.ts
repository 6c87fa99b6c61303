// The contract's schemas as types: `Schemas["Notification"]`. Outside this folder nobody reads the generated file.
import type { components } from "./openapi.gen.js";

export type Schemas = components["schemas"];
