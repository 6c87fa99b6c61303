// A request as code: with fetch, and with the typed client.
import type { NotificationFilter, PreferencesUpdate } from "../../browser/client/client.js";
import type { RequestSpec } from "../../contract/request-spec.js";

export interface ClientCall {
  baseUrl: string;
  apiKey: string;
}

/** undefined for what the client does not send: another operation, or a body that is not JSON. */
export function toClientCode(
  operation: string | undefined,
  { target, body = "" }: Pick<RequestSpec, "target" | "body">,
  call: ClientCall,
): string | undefined {
  const { pathname, searchParams } = new URL(target, call.baseUrl);
  if (operation === "listNotifications") return toListCode(call, toFilter(searchParams));
  if (operation !== "updatePreferences") return undefined;
  try {
    const [, , , subscriberId = ""] = pathname.split("/");
    return toUpdateCode(call, decodeURIComponent(subscriberId), JSON.parse(body));
  } catch {
    return undefined;
  }
}

export function toUpdateCode(call: ClientCall, subscriberId: string, update: PreferencesUpdate): string {
  return toCode(call, `updatePreferences(${toLiteral(subscriberId)}, ${toLiteral(update)})`);
}

export function toListCode(call: ClientCall, filter: NotificationFilter): string {
  return toCode(call, `listNotifications(${toLiteral(filter)})`);
}

const LISTS = ["channels", "templates", "subscriberIds", "emails"];
const TEXTS = ["transactionId", "topicKey", "after", "before", "search"];
const NUMBERS = ["limit", "page"];

/** The filter in a query of the API or the page, without names that the contract does not have. */
export function toFilter(query: URLSearchParams): NotificationFilter {
  const toMembers = (names: readonly string[], readValue: (name: string) => unknown) =>
    names.filter((name) => query.has(name)).map((name) => [name, readValue(name)]);
  return Object.fromEntries([
    ...toMembers(LISTS, (name) => query.getAll(name)),
    ...toMembers(TEXTS, (name) => query.get(name)),
    ...toMembers(NUMBERS, (name) => Number(query.get(name))),
  ]) as NotificationFilter; // the server validates it
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
