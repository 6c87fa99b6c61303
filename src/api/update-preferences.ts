// updatePreferences as the contract has it: from a request to the domain and back. Document §4.1.
import { updatePreferences as decideUpdate } from "../domain/preferences.js";
import type { Handler } from "./handler.js";

export const updatePreferences: Handler<"updatePreferences"> = ({ path, body }, { view }) => {
  const { channels, workflowId } = body;
  const { stored, preferences } = decideUpdate({ subscriberId: path.subscriberId, channels, workflowId }, view);
  const isChange = Object.keys(channels).length > 0; // D-04
  return { body: preferences, changes: isChange ? [{ type: "preferencesSet", preferences: stored }] : [] };
};
