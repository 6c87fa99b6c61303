// The members that this package's client reads on behalf of its callers: no line of theirs shows that `iterateNotifications` reads `hasMore`.
import type { ReferenceKind } from "./usage-file.js";

type Implied = readonly (readonly [kind: ReferenceKind, name: string])[];

const UPDATE: Implied = [["operation", "updatePreferences"]];
const LIST: Implied = [["operation", "listNotifications"]];
const READ: Implied = [...UPDATE, ["request", "PreferencesUpdate.channels"]];
const PAGES: Implied = [
  ...LIST,
  ["parameter", "listNotifications.query.page"],
  ["parameter", "listNotifications.query.before"],
  ["response", "NotificationPage.data"],
  ["response", "NotificationPage.hasMore"],
  ["response", "Notification.createdAt"],
];
/** The optimistic update of the preferences that are shown. */
const SHOWN: Implied = [
  ...UPDATE,
  ["response", "Preferences.global"],
  ["response", "Preferences.workflows"],
  ["response", "GlobalPreferences.channels"],
  ["response", "WorkflowPreferences.channels"],
  ["response", "WorkflowPreferences.workflow"],
  ["response", "WorkflowReference.identifier"],
  ["response", "WorkflowReference.slug"],
];

/** By the function's name. */
export const CLIENT_CALLS: Readonly<Record<string, Implied>> = {
  updatePreferences: UPDATE,
  readPreferences: READ,
  preferencesQuery: READ,
  updatePreferencesMutation: SHOWN,
  listNotifications: LIST,
  pages: PAGES,
  iterateNotifications: [...PAGES, ["parameter", "listNotifications.query.limit"]],
  notificationsInfiniteQuery: PAGES,
};
