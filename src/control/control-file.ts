// The control plane's contract as a file.
import { fileURLToPath } from "node:url";

/** The same relative path holds in `src` and in `dist`. */
export const CONTROL_CONTRACT_PATH = fileURLToPath(new URL("../../src/control/control.openapi.yaml", import.meta.url));
