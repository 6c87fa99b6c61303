// The control plane's contract as types, for this folder and the clients, which must not load the handlers.
import type { components, operations } from "./control.gen.js";

export type { operations as ControlOperations, paths as ControlPaths } from "./control.gen.js";

export type ControlSchemas = components["schemas"];
export type ControlOperationId = keyof operations;
