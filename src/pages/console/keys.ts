// Keys that the user enters, stored until the tab is closed.
import type { Environment } from "../../browser/client/control.js";
import { formatCurl, type RequestSpec } from "../../contract/request.js";
import { element } from "../script/dom.js";
import { type Frame, selected } from "./panel.js";

const CONTROL_KEY = "control-key";

export function readControlKey(): string | undefined {
  return sessionStorage.getItem(CONTROL_KEY) ?? undefined;
}

/** False if the user enters none. */
export function promptForControlKey(message: string): boolean {
  const key = prompt(`${message}\n\nThe key of --control-key, which is stored until this tab is closed:`);
  if (key) sessionStorage.setItem(CONTROL_KEY, key);
  return Boolean(key);
}

/** The key that the server reports, or that the user has entered. */
export function apiKeyOf({ name, apiKey }: Environment): string | undefined {
  return apiKey ?? sessionStorage.getItem(toItemName(name)) ?? undefined;
}

/** A request to the API with the selected environment's key. */
export function buildApiRequest(method: string, target: string, update?: object): RequestSpec {
  const headers = { authorization: `ApiKey ${apiKeyOf(selected().environment) ?? "<API key>"}` };
  if (!update) return { method, target, headers };
  return { method, target, headers: { ...headers, "content-type": "application/json" }, body: JSON.stringify(update) };
}

export function formatApiCurl(method: string, target: string): string {
  return formatCurl(buildApiRequest(method, target), location.origin);
}

export function storeApiKey(environment: string, apiKey: string): void {
  sessionStorage.setItem(toItemName(environment), apiKey);
}

export function showMissingKey(showEmpty: Frame["showEmpty"]): void {
  const text = "The server stores keys as hashes, so the key of this environment must be entered.";
  showEmpty(text, element("a", { href: "#environment" }, "Enter the API key"));
}

function toItemName(environment: string): string {
  return `api-key ${environment}`;
}
