// The values in the state that a served contract forbids, and that nothing can adapt: a member of an enum that is removed.
import type { Contract } from "../contract/contract.js";
import type { EnvironmentView } from "../domain/environment-view.js";
import { toNotification } from "../domain/notifications.js";
import { adaptValue } from "./adapt-value.js";
import type { ImplementationStatus } from "./implementation-status.js";
import { itemsOf } from "./record-contract.js";

const MAX_RECORDS = 5_000; // the newest of each environment: a start takes no longer than that
const MAX_MESSAGES = 10;

export function findUnadaptable(
  served: Contract,
  environments: readonly EnvironmentView[],
): ImplementationStatus["unadaptable"] {
  const schema = itemsOf(served);
  if (!schema) return [];
  const records = new Map<string, number>();
  for (const environment of environments) {
    for (const { json } of environment.notifications.slice(0, MAX_RECORDS)) {
      const shown = toNotification(JSON.parse(Buffer.from(json).toString()), environment);
      const value = adaptValue(served.document, schema, shown, { path: "", request: "" });
      const violations = served.schemas.checkBy(schema, value, "notification");
      // The same place of every record, whichever item of a list it is.
      const messages = violations.map(({ location, message }) => `${location.replaceAll(/\.\d+/g, "[]")} ${message}`);
      for (const message of new Set(messages)) records.set(message, (records.get(message) ?? 0) + 1);
    }
  }
  return [...records].slice(0, MAX_MESSAGES).map(([message, count]) => ({ message, records: count }));
}
