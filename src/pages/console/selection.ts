// The environment that all panels show, and the clients to reach it.
import type { Control, Environment } from "../../browser/client/control.js";
import type { RecordingClient } from "./recording-client.js";

export interface Selection {
  control: Control;
  environment: Environment;
  /** undefined until the API key is known. */
  api: RecordingClient | undefined;
}

/**
 * Shows its part of the selection. Called again whenever the environment changes, if the panel is visible.
 * @param isNew whether another environment is shown, or the panel was hidden meanwhile: it loads everything.
 */
export type Panel = (isNew: boolean) => void;

let current: Selection | undefined;

export function select(selection: Selection): void {
  current = selection;
}

/** The selection that the visible view's buttons and forms act on. */
export function selected(): Selection {
  if (!current) throw new Error("No view is visible before an environment is selected.");
  return current;
}
