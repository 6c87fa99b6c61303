// The contract as types: `Schemas["Notification"]`. Only this folder imports the generated file.
import type { components } from "./openapi.gen.js";

export type { operations as Operations, paths as Paths } from "./openapi.gen.js";

export type Schemas = components["schemas"];
