// Keys that the user has entered. They are stored until the tab is closed.
import type { Environment } from "../../browser/client/control.js";
import { button, find, showEmpty } from "../docs-page/dom.js";
import { openDialog } from "./confirm.js";

const CONTROL_KEY = "control-key";

export function readControlKey(): string | undefined {
  return sessionStorage.getItem(CONTROL_KEY) ?? undefined;
}

/** Resolves once the user has entered a key. */
export async function promptForControlKey(message: string): Promise<void> {
  const dialog = find("dialog", "#control-key");
  const field = find("input", "[name=key]", dialog);
  find("p", "[data-message]", dialog).textContent = readControlKey() === undefined ? "" : message;
  await openDialog(dialog);
  sessionStorage.setItem(CONTROL_KEY, field.value);
  field.value = "";
}

/** The key that the server knows, else the one that the user has entered. */
export function apiKeyOf({ name, apiKey }: Environment): string | undefined {
  return apiKey ?? sessionStorage.getItem(toItemName(name)) ?? undefined;
}

export function storeApiKey(environment: string, apiKey: string): void {
  sessionStorage.setItem(toItemName(environment), apiKey);
}

/** In the place of what a view needs the API key for. */
export function showMissingKey(panel: HTMLElement): void {
  const enter = button("Enter the API key", () => {
    location.hash = "environment";
    find("input", "#api-key").focus();
  });
  showEmpty(panel, "The server stores keys as hashes, so that of this environment must be entered.", enter);
}

function toItemName(environment: string): string {
  return `api-key ${environment}`;
}
