// What all panels share: the environment that is shown, and the clients to reach it.
import type { Control, Environment } from "../client/control.js";
import type { Access } from "./access.js";

export interface Chosen {
  control: Control;
  environment: Environment;
  /** Undefined until its API key is known. */
  access: Access | undefined;
}

/** Shows its part of an environment. Called again whenever another one is chosen, or this one has changed as a whole. */
export type Panel = (chosen: Chosen) => void;
