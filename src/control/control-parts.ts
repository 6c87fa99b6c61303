// What the control plane is built from.
import type { Logger } from "pino";
import type { EnvironmentManagerParts } from "./environment-manager.js";
import type { Faults } from "./faults.js";
import type { RequestHistory } from "./request-history.js";

export interface ControlSettings extends EnvironmentManagerParts {
  log: Logger;
  /** The key of the control plane; undefined restricts it to this machine. */
  controlKey: string | undefined;
  /** Aborts when the server stops. */
  stopping?: AbortSignal | undefined;
}

export interface ControlParts extends ControlSettings {
  faults: Faults;
  history: RequestHistory;
}
