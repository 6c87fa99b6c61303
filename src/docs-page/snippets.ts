// A request as code with the typed client.
import type { NotificationFilter, PreferencesUpdate } from "../client/client.js";
import type { RequestSpec } from "../client/request-spec.js";

export interface ClientCall {
  baseUrl: string;
  apiKey: string;
}

export function toUpdateCode(call: ClientCall, subscriberId: string, update: PreferencesUpdate): string {
  return toCode(call, `updatePreferences(${toLiteral(subscriberId)}, ${toLiteral(update)})`);
}

export function toListCode(call: ClientCall, filter: NotificationFilter): string {
  return toCode(call, `listNotifications(${toLiteral(filter)})`);
}

export function toFetchCode({ method, target, headers, body }: RequestSpec, origin: string): string {
  const members = [
    ...(method === "GET" ? [] : [`method: ${toLiteral(method)}`]),
    `headers: ${toLiteral(headers)}`,
    ...(body === undefined ? [] : [`body: ${toLiteral(body)}`]),
  ];
  const url = `${toLiteral(origin + target)}`;
  return `const response = await fetch(${url}, {\n  ${members.join(",\n  ")},\n});\nconst body = await response.json();`;
}

function toCode({ baseUrl, apiKey }: ClientCall, expression: string): string {
  return `import { createClient } from "notifications-contract/client";

const client = createClient(${toLiteral({ baseUrl, apiKey })});
const result = await client.${expression};`;
}

/** A JSON value as a person would write it in JavaScript. */
function toLiteral(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toLiteral).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => `${toName(name)}: ${toLiteral(member)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

function toName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}
