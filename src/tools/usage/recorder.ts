// Collects references: each name of the contract once per kind, with all its places.
import type { Contract } from "../../contract/contract.js";
import { findMemberPlaces, type MemberKind } from "./contract-members.js";
import type { Reference, ReferenceKind } from "./usage-file.js";

export type Recorder = ReturnType<typeof createRecorder>;

/** A member of several kinds is recorded as the first of them. */
const READ: readonly MemberKind[] = ["response", "error", "header", "request", "parameter"];
const WRITTEN: readonly MemberKind[] = ["request", "parameter"];

export function createRecorder(contract: Contract) {
  const places = findMemberPlaces(contract);
  const kinds = new Map<string, Set<MemberKind>>();
  for (const { kind, within } of places)
    for (const name of within) kinds.set(name, (kinds.get(name) ?? new Set()).add(kind));
  const references = new Map<string, Reference>();
  const unknown = new Set<string>();

  const add = (kind: ReferenceKind, name: string, place: string, how?: string): void => {
    const key = JSON.stringify([kind, name, how]);
    const reference = references.get(key) ?? { kind, name, ...(how === undefined ? {} : { how }), places: [] };
    references.set(key, reference);
    if (!reference.places.includes(place)) reference.places.push(place);
    if (kind === "parameter") add("operation", name.split(".")[0] ?? "", place);
  };
  const addEach = (names: readonly string[], order: readonly MemberKind[], place: string) => {
    for (const name of names) {
      const kind = order.find((kind) => kinds.get(name)?.has(kind));
      if (kind) add(kind, name, place);
      else if (!kinds.has(name) && !isUnused(name)) unknown.add(name);
    }
  };
  /** True for a schema that is part of no request or response. */
  const isUnused = (name: string) => {
    const [schema = ""] = name.split(".");
    return schema in contract.document.components.schemas && !kinds.has(schema);
  };

  return {
    places,
    add,
    unknown,
    read: (names: readonly string[], place: string) => addEach(names, READ, place),
    /** Ignores names that no request has: an object in a test, or an optimistic state. */
    write: (names: readonly string[], place: string) => addEach(names, WRITTEN, place),
    everything(names: readonly string[], place: string, how: string): void {
      for (const name of names) if (kinds.has(name)) add("everything", name, place, how);
    },
    /** Records what a function of this package's client reads and writes for its caller. */
    call(name: string, place: string): void {
      for (const [kind, implied] of CLIENT_CALLS[name] ?? [])
        if (kind === "operation" || kinds.has(implied)) add(kind, implied, place);
    },
    references: () => [...references.keys()].sort().flatMap((key) => references.get(key) ?? []),
  };
}

/** Members that this package's client uses for its callers: their code does not show that `pages` reads `hasMore`. */
type Implied = readonly (readonly [kind: ReferenceKind, name: string])[];

const all = (kind: ReferenceKind, names: string): Implied => names.split(" ").map((name) => [kind, name]);

const UPDATE = all("operation", "updatePreferences");
const LIST = all("operation", "listNotifications");
const SETTINGS = [...UPDATE, ...all("request", "PreferencesUpdate.channels")];
const PAGES = [
  ...LIST,
  ...all("parameter", "listNotifications.query.page listNotifications.query.before"),
  ...all("response", "NotificationPage.data NotificationPage.hasMore Notification.createdAt"),
];
const OPTIMISTIC_UPDATE = [
  ...UPDATE,
  ...all("response", "Preferences.global Preferences.workflows GlobalPreferences.channels"),
  ...all("response", "WorkflowPreferences.channels WorkflowPreferences.workflow"),
  ...all("response", "WorkflowReference.identifier WorkflowReference.slug"),
];

/** By the function's name. */
export const CLIENT_CALLS: Readonly<Record<string, Implied>> = {
  updatePreferences: UPDATE,
  readPreferences: SETTINGS,
  preferencesQuery: SETTINGS,
  updatePreferencesMutation: OPTIMISTIC_UPDATE,
  listNotifications: LIST,
  pages: PAGES,
  notificationsInfiniteQuery: PAGES,
};
