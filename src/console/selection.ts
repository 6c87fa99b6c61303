// The environment that all panels show, and the clients to reach it.
import type { Control, Environment } from "../client/control.js";
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
export type Panel = (selection: Selection, isNew: boolean) => void;

/** What a panel's buttons and forms act on. */
export interface SelectionHolder {
  set(selection: Selection): void;
  /** Calls `act` with the selection; does nothing as long as there is none. */
  use<Result>(act: (selection: Selection) => Result): Result | undefined;
}

export function createSelectionHolder(): SelectionHolder {
  let current: Selection | undefined;
  return {
    set(selection) {
      current = selection;
    },
    use: (act) => current && act(current),
  };
}
