// The contract as types: `Schemas["Notification"]`. Outside this folder nobody reads the generated file.
import type { components } from "./openapi.gen.js";

export type { operations as Operations, paths as Paths } from "./openapi.gen.js";

export type Schemas = components["schemas"];
