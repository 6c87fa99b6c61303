// Keys that people have typed in. They live as long as the tab.
import type { Environment } from "../client/control.js";
import { find } from "./dom.js";

const CONTROL_KEY = "control-key";

/** For createControl. */
export function controlKey(): { controlKey?: string } {
  const key = sessionStorage.getItem(CONTROL_KEY);
  return key === null ? {} : { controlKey: key };
}

/** Settles once there is a key to try. */
export function askForControlKey(refusal: string): Promise<void> {
  const dialog = find("dialog", "#control-key");
  const field = find("input", "#control-key-value", dialog);
  find("p", "[data-refusal]", dialog).textContent = controlKey().controlKey === undefined ? "" : refusal;
  if (!dialog.open) dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener(
      "close",
      () => {
        sessionStorage.setItem(CONTROL_KEY, field.value);
        field.value = "";
        resolve();
      },
      { once: true },
    );
  });
}

/** As the server knows it, or as somebody has typed it. */
export function apiKeyOf({ name, apiKey }: Environment): string | undefined {
  return apiKey ?? sessionStorage.getItem(toItemName(name)) ?? undefined;
}

export function keepApiKey(environment: string, apiKey: string): void {
  sessionStorage.setItem(toItemName(environment), apiKey);
}

function toItemName(environment: string): string {
  return `api-key ${environment}`;
}
