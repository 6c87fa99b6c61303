// An environment in memory: what is durable of it. Changes that are not yet durable are in draft.ts.
import type { Change } from "../../domain/change.js";
import type { EnvironmentView } from "../../domain/environment-view.js";
import type { EnvironmentContents } from "../../domain/state.js";
import { applyChange, createRecords } from "./environment-records.js";

export interface EnvironmentState extends EnvironmentView {
  /** Increases with each change. */
  readonly revision: number;
  /** Makes changes visible. Only for changes that are already durable. */
  apply(changes: readonly Change[]): void;
  /** Everything as it is now. It shares the records, and nothing of it changes later. */
  toContents(): EnvironmentContents;
}

export function createEnvironmentState(contents: EnvironmentContents): EnvironmentState {
  const records = createRecords(contents);
  let revision = 0;
  return {
    get revision() {
      return revision;
    },
    get environmentId() {
      return records.head.environmentId;
    },
    get organizationId() {
      return records.head.organizationId;
    },
    get workflows() {
      return records.workflows.all;
    },
    get notifications() {
      return records.notifications.newestFirst;
    },
    notificationById: (id) => records.notifications.byId(id),
    notificationsBy: (key, value) => records.notifications.by(key, value),
    workflowById: (id) => records.workflows.byId.get(id),
    workflowByIdentifier: (identifier) => records.workflows.byIdentifier.get(identifier),
    subscribers: () => records.subscribers.all(),
    subscriberById: (id) => records.subscribers.byId(id),
    subscriberBySubscriberId: (subscriberId) => records.subscribers.bySubscriberId(subscriberId),
    subscribersByEmail: (email) => records.subscribers.byEmail(email),
    preferencesOf: (subscriberId) =>
      records.preferences.get(subscriberId) ?? { subscriberId, global: {}, workflows: [] },
    recordedResponse: (key) => records.responses.get(key),
    apply(changes) {
      if (changes.length > 0) revision += 1;
      for (const change of changes) applyChange(records, change);
    },
    toContents: () => ({
      ...records.head,
      workflows: [...records.workflows.all],
      subscribers: [...records.subscribers.all()],
      preferences: [...records.preferences.values()],
      notifications: [...records.notifications.newestFirst],
      recordedResponses: [...records.responses.values()],
    }),
  };
}
