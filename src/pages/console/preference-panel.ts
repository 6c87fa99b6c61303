// The preferences of a subscriber: a matrix of switches. Each switch sends one request, which is then shown as code.
import type { Client, Preferences, PreferencesUpdate, Result } from "../../browser/client/client.js";
import type { Workflow } from "../../browser/client/control.js";
import { jsonPanel } from "../script/code-panel.js";
import { linkToLogged } from "../script/dashboard.js";
import { button, createTabs, element, isTyping, span } from "../script/dom.js";
import { readPageAddress, writePageAddress } from "./navigation.js";
import {
  buildApiRequest,
  buildFrame,
  dataOf,
  hideToast,
  type Panel,
  type Runner,
  selected,
  showMissingKey,
  showToast,
} from "./panel.js";
import { createMatrix, describeUpdate, findChanges, reverseUpdate } from "./preference-matrix.js";
import { buildCodeTabs } from "./request-detail.js";
import { buildCloser } from "./row-table.js";
import { formatName, type Named, pickSubscriber, searchSubscribers } from "./subscribers.js";

export function createPreferencePanel(): Panel {
  const picker = button("Subscriber", () => pickSubscriber(pick), {
    className: "quiet picker",
    ariaHasPopup: "dialog",
  });
  const { panel, runner, empty, showEmpty } = buildFrame("preferences", "Preferences", [picker]);
  const matrix = element("fieldset", { ariaLabel: "Preferences by workflow and channel" });
  const sent = element("section", { className: "detail", ariaLabel: "Request", tabIndex: -1, hidden: true });
  panel.append(element("div", { className: "split" }, element("div", { className: "body" }, matrix, empty), sent));
  let environmentName: string | undefined;
  let revision: number | undefined;
  /** Shows changes that others have made. */
  let update: () => void = load;
  let undo = (): void => {};

  function load(): void {
    update = load;
    undo = () => {};
    runner.say("");
    showEmpty();
    matrix.replaceChildren();
    sent.hidden = true;
    const { api } = selected();
    const id = readPageAddress().get("subscriber") ?? undefined;
    if (!api) showMissingKey(showEmpty);
    else
      void runner.load(
        () => loadPreferences(api, id),
        (loaded) => show(api, loaded),
      );
  }

  function show(api: Client, { subscriber, workflows = [], preferences }: LoadedPreferences): void {
    const id = subscriber?.subscriberId;
    if (id !== undefined) writePageAddress({ subscriber: [id] });
    const name = subscriber && formatName(subscriber);
    picker.replaceChildren(
      span("unseen", "Subscriber "),
      span("", name ?? "none", name === id ? "" : span("soft small", ` ${id}`)),
    );
    if (id !== undefined && preferences) {
      const showSent = (update: PreferencesUpdate, result?: SentUpdate) => showRequest(sent, { id, update, result });
      const switches = createSwitches({ api, subscriberId: id, workflows, preferences }, runner, { load, showSent });
      ({ update, undo } = switches);
      matrix.replaceChildren(...switches.parts);
      return;
    }
    const adder = button("Add a subscriber", () => pickSubscriber(pick));
    showEmpty(id ? `There is no subscriber ${id}.` : "This environment has no subscribers yet.", adder);
  }

  function pick(id: string): void {
    writePageAddress({ subscriber: [id] });
    load();
  }

  document.addEventListener("keydown", (event) => {
    if (isUndo(event) && !panel.hidden) undo();
  });
  return {
    element: panel,
    show(isNew) {
      const { environment } = selected();
      const isOther = environmentName !== undefined && environmentName !== environment.name;
      if (isOther) writePageAddress({ subscriber: [] });
      environmentName = environment.name;
      const hasChanged = revision !== environment.revision;
      revision = environment.revision;
      if (isNew) load();
      else if (hasChanged) update();
    },
  };
}

/** Ctrl+Z or ⌘Z, where it takes back no text. */
function isUndo(event: KeyboardEvent): boolean {
  const isKey = event.key.toLowerCase() === "z" && (event.ctrlKey || event.metaKey) && !event.shiftKey;
  return isKey && !isTyping(event) && !document.querySelector("dialog[open]");
}

interface SentUpdate {
  result: Result<"updatePreferences">;
  /** The preferences before it. */
  before: Preferences;
}

interface ShownRequest {
  id: string;
  update: PreferencesUpdate;
  /** Undefined while it is sent. */
  result: SentUpdate | undefined;
}

/** What a switch has sent, as code, and what it has changed. */
function showRequest(pane: HTMLElement, { id, update, result }: ShownRequest): void {
  const target = `/v2/subscribers/${encodeURIComponent(id)}/preferences`;
  pane.replaceChildren(
    buildCloser(() => pane.setAttribute("hidden", "")),
    element("h3", {}, "Request"),
    element("p", { className: "soft" }, ...describeSent(result?.result)),
    createTabs("code", "As code", buildCodeTabs(buildApiRequest("PATCH", target, update))),
    ...buildResponse(result),
  );
  pane.hidden = false;
}

/** With a link to the log. */
function describeSent(result: SentUpdate["result"] | undefined): (string | Node)[] {
  const id = result?.response?.headers.get("x-request-id");
  if (!result) return ["Sending …"];
  if (typeof id !== "string") return [result.status === 0 ? "No response: nothing is known to have changed." : "Sent."];
  const href = linkToLogged({ id, environment: selected().environment.name });
  return [`Sent: ${result.status}. `, element("a", { href }, "Open in Requests")];
}

/** What an update has changed, and the body of its response. */
function buildResponse(sent: SentUpdate | undefined): HTMLElement[] {
  const { ok, data, error } = sent?.result ?? {};
  const body = jsonPanel("Response", JSON.stringify(ok ? data : error) ?? "");
  if (!sent || !ok) return sent ? [body] : [];
  const changes = findChanges(sent.before, sent.result.data ?? sent.before);
  const items = changes.slice(0, MAX_CHANGES).map((change) => element("li", {}, change));
  const hidden = changes.length - items.length;
  if (hidden > 0) items.push(element("li", { className: "soft" }, `and ${hidden} more`));
  const text = changes.length === 0 ? "Nothing changed." : "Changed:";
  return [element("p", { className: "soft" }, text), element("ul", { className: "small" }, ...items), body];
}

const MAX_CHANGES = 6;

interface LoadedPreferences {
  /** Undefined if the environment has no subscribers. */
  subscriber?: Named;
  workflows?: readonly Workflow[];
  /** Undefined if the subscriber does not exist. */
  preferences?: Preferences;
}

/** Of the first subscriber, without an id. */
async function loadPreferences(api: Client, id: string | undefined): Promise<LoadedPreferences> {
  const { control, environment } = selected();
  const found = await searchSubscribers(id ?? "");
  const subscriber =
    id === undefined ? found[0] : (found.find(({ subscriberId }) => subscriberId === id) ?? { subscriberId: id });
  if (!subscriber) return {};
  const [workflows, result] = await Promise.all([
    control.listWorkflows(environment.name),
    api.readPreferences(subscriber.subscriberId),
  ]);
  return result.status === 404 ? { subscriber } : { subscriber, workflows, preferences: dataOf(result) };
}

interface Shown extends Required<Pick<LoadedPreferences, "workflows" | "preferences">> {
  api: Client;
  subscriberId: string;
}

/** The matrix. Its switches send one update at a time, since a response has the state after its own update. */
function createSwitches(
  { api, subscriberId, workflows, preferences }: Shown,
  runner: Runner,
  on: { load(): void; showSent(update: PreferencesUpdate, sent?: SentUpdate): void },
) {
  let current = preferences;
  let pending = 0;
  let queue = Promise.resolve();
  const undoable: Change[] = [];
  const enqueue = (update: PreferencesUpdate, kind: UpdateKind): void => {
    pending += 1;
    queue = queue.then(() => send(update, kind));
  };
  const { parts, show } = createMatrix(workflows, preferences, (change, isReset) =>
    enqueue(change, isReset ? "reset" : "switch"),
  );
  const showCurrent = () => pending === 0 && show(current);

  async function send(update: PreferencesUpdate, kind: UpdateKind): Promise<void> {
    on.showSent(update);
    await runner.act(
      async () => {
        const before = current;
        const result = await api.updatePreferences(subscriberId, update);
        on.showSent(update, { result, before });
        return dataOf(result);
      },
      (updated) => {
        if (kind !== "undo") offerUndo(update, kind === "reset");
        current = updated;
        showCurrent(); // after "Try again"
      },
    );
    pending -= 1;
    showCurrent(); // reverts a rejected switch
  }

  /** What changes more than the pressed switch says so. */
  function offerUndo(sent: PreferencesUpdate, isReset: boolean): void {
    const change = { text: describeUpdate(sent, current, isReset), reverse: reverseUpdate(sent, current) };
    undoable.push(change);
    if (isReset || sent.workflowId === undefined) showToast(change.text, () => undo(change));
    else hideToast();
  }

  /** Takes a change back, once; without one, the latest. */
  function undo(change = undoable.at(-1)): void {
    const place = change ? undoable.indexOf(change) : -1;
    if (!change || place === -1) return;
    undoable.splice(place, 1);
    for (const each of change.reverse) enqueue(each, "undo");
    showToast(`Taken back: ${change.text}`);
  }

  function update(): void {
    void runner.load(
      async () => dataOf(await api.readPreferences(subscriberId)),
      (latest) => {
        if (pending > 0) return;
        if (latest.workflows.length !== current.workflows.length) return on.load();
        current = latest;
        show(current);
      },
    );
  }
  return { parts, update, undo: () => undo() };
}

type UpdateKind = "switch" | "reset" | "undo";

interface Change {
  text: string;
  /** The updates that take it back. */
  reverse: PreferencesUpdate[];
}
