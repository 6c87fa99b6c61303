// Runs a recipe as a developer would: pastes it, then lets the page send its requests.
import type { Client } from "../../../src/browser/client/client.js";
import type { CountedItem, Coverage } from "../../../src/core/coverage/coverage.js";

export interface Tools {
  addFault: (fault: never) => unknown;
  client: Client;
}

export async function paste(recipe: string, { addFault, client }: Tools): Promise<void> {
  const { listNotifications, updatePreferences } = client;
  const run = new Function(
    "addFault",
    "listNotifications",
    "updatePreferences",
    `return (async () => { ${recipe.startsWith("await") ? "" : "await "}${recipe} })()`,
  );
  await run(addFault, listNotifications, updatePreferences);
  if (!recipe.startsWith("addFault")) return;
  await updatePreferences("ines-moreau", { channels: {} });
  for (const page of [0, 1]) await listNotifications({ page });
}

export const titleOf = ({ operation, group, name }: Pick<CountedItem, "operation" | "group" | "name">) =>
  `${operation} ${group} ${name}`;

export const seenIn = ({ items }: Coverage) => items.filter(({ count }) => count > 0).map(titleOf);
