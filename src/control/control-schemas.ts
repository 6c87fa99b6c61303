// The control plane's contract as types and as a file. Outside this folder nobody reads the generated file.
import { fileURLToPath } from "node:url";
import type { components, operations } from "./control.gen.js";

export type { operations as ControlOperations, paths as ControlPaths } from "./control.gen.js";

export type ControlSchemas = components["schemas"];
export type ControlOperationId = keyof operations;

/** The same relative path holds in `src` and in `dist`. */
export const CONTROL_CONTRACT_PATH = fileURLToPath(new URL("../../src/control/control.openapi.yaml", import.meta.url));
