// Runs a recipe as a developer would: pastes it, then lets the page send its requests.
import type { Client } from "../../../src/browser/client/client.js";
import type { CountedItem, Coverage } from "../../../src/core/coverage/coverage.js";
import { requestOf } from "../../support/requests-by-operation.js";

export interface Tools {
  addFault: (fault: never) => unknown;
  client: Client;
}

export async function paste(recipe: string, { addFault, client }: Tools): Promise<void> {
  const { listNotifications, updatePreferences, request } = client;
  const run = new Function(
    "addFault",
    "listNotifications",
    "updatePreferences",
    "request",
    `return (async () => { ${recipe.startsWith("await") ? "" : "await "}${recipe} })()`,
  );
  await run(addFault, listNotifications, updatePreferences, request);
  if (!recipe.startsWith("addFault")) return;
  const [, id = "listNotifications"] = /"operation":"(\w+)"/.exec(recipe) ?? [];
  const { method = "GET", url = "", body } = requestOf({ id });
  await request(`${method.toLowerCase()} ${url}` as "get /v1/notifications", { body } as object);
  await listNotifications({ page: 1 });
}

export const titleOf = ({ operation, group, name }: Pick<CountedItem, "operation" | "group" | "name">) =>
  `${operation} ${group} ${name}`;

export const seenIn = ({ items }: Coverage) => items.filter(({ count }) => count > 0).map(titleOf);
