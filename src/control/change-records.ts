// A change of records that needs no decision.
import type { RecordChange } from "../domain/change.js";
import type { Environment } from "../store/environment.js";

/** Makes one change of records durable and visible. */
export function changeRecords(environment: Environment, change: RecordChange): Promise<void> {
  return environment.transact(() => ({ result: undefined, changes: [change] }));
}
