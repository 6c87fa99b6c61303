// The preferences of one subscriber: a matrix of switches. Each switch sends one request.
import type { Client, Preferences, PreferencesUpdate, Result } from "../../browser/client/client.js";
import type { Workflow } from "../../browser/client/control.js";
import { jsonPanel } from "../script/code-panel.js";
import { linkToLogged } from "../script/dashboard.js";
import { button, element, find, isTyping, onPress, showEmpty, span } from "../script/dom.js";
import { formatName, type Named } from "../script/subscriber-item.js";
import { createTabs } from "../script/tabs.js";
import { buildApiRequest, showMissingKey } from "./keys.js";
import { readPageAddress, writePageAddress } from "./navigation.js";
import { createPanelStatus, dataOf, type Panel, type PanelStatus, selected } from "./panel.js";
import { describeUpdate, findChanges, reverseUpdate } from "./preference-changes.js";
import { createMatrix } from "./preference-matrix.js";
import { buildCodeTabs } from "./request-detail.js";
import { pickSubscriber, searchSubscribers } from "./subscribers.js";
import { hideToast, showToast } from "./toast.js";

export function createPreferencePanel(): Panel {
  const panel = find("section", "#preferences");
  const picker = find("button", "[data-do=pick]", panel);
  const picked = find("span", "[data-picked]", picker);
  const container = find("fieldset", "[data-matrix]", panel);
  const status = createPanelStatus(panel);
  const filter = find("input", "#workflow-filter", panel);
  const legend = find("p", "[data-legend]", panel);
  const request = find("section", "[data-request]", panel);
  let environmentName: string | undefined;
  let revision: number | undefined;
  /** Shows changes that others have made. */
  let update: () => void = load;
  let undo = (): void => {};

  function load(): void {
    update = load;
    undo = () => {};
    status.say("");
    showEmpty(panel);
    container.replaceChildren();
    legend.hidden = true;
    request.hidden = true;
    const { api } = selected();
    if (!api) showMissingKey(panel);
    else
      void status.load(
        () => loadPreferences(api, readPageAddress().get("subscriber") ?? undefined),
        (loaded) => show(api, loaded),
      );
  }

  function show(api: Client, { subscriber, workflows = [], preferences }: LoadedPreferences): void {
    const id = subscriber?.subscriberId;
    if (id !== undefined) writePageAddress({ subscriber: [id] });
    picked.replaceChildren(...(subscriber ? [formatName(subscriber), span("soft small", ` ${id}`)] : ["none"]));
    if (id === undefined || !preferences) {
      const text = id ? `There is no subscriber ${id}.` : "This environment has no subscribers yet.";
      showEmpty(
        panel,
        text,
        button("Add a subscriber", () => pickSubscriber(pick)),
      );
      return;
    }
    const preview = createRequestPreview(request, id);
    const switches = createSwitches({ api, subscriberId: id, workflows, preferences }, status, { load, preview });
    ({ update, undo } = switches);
    container.replaceChildren(switches.table);
    legend.hidden = false;
    applyFilter();
  }

  function applyFilter(): void {
    const text = filter.value.trim().toLowerCase();
    const rows = [...container.querySelectorAll<HTMLElement>("tbody tr")];
    for (const row of rows) row.hidden = !(row.textContent ?? "").toLowerCase().includes(text);
    if (rows.length === 0) return;
    container.hidden = rows.every((row) => row.hidden);
    if (container.hidden) showEmpty(panel, "No workflow matches.", button("Show all", showAll));
    else showEmpty(panel);
  }

  function showAll(): void {
    filter.value = "";
    applyFilter();
    filter.focus();
  }
  filter.addEventListener("input", applyFilter);
  filter.addEventListener("keydown", ({ key }) => {
    if (key === "ArrowDown") container.querySelector<HTMLElement>("tbody tr:not([hidden]) input")?.focus();
  });
  document.addEventListener("keydown", (event) => {
    if (isUndo(event) && !panel.hidden) undo();
  });
  function pick(id: string): void {
    writePageAddress({ subscriber: [id] });
    load();
  }
  onPress(picker, () => pickSubscriber(pick));
  return (isNew) => {
    const { environment } = selected();
    const isOther = environmentName !== undefined && environmentName !== environment.name;
    if (isOther) writePageAddress({ subscriber: [] });
    environmentName = environment.name;
    const hasChanged = revision !== environment.revision;
    revision = environment.revision;
    if (isNew) load();
    else if (hasChanged) update();
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

/** The request of a switch as code: of the one that the user points at, or else the last one sent. */
function createRequestPreview(section: HTMLElement, subscriberId: string) {
  const target = `/v2/subscribers/${encodeURIComponent(subscriberId)}/preferences`;
  const text = find("p", "p", section);
  const code = find("div", "[data-code]", section);
  const response = find("div", "[data-response]", section);
  let showLast = (): void => {};
  let isNext = false; // what is shown stays, or a link could not be pressed while a switch loses the focus
  const show = (update: PreferencesUpdate, ...sentence: (string | Node)[]) => {
    text.replaceChildren(...sentence);
    code.replaceChildren(createTabs("code", "As code", buildCodeTabs(buildApiRequest("PATCH", target, update))));
    response.hidden = true;
  };
  show({ channels: {} }, "This reads the preferences. Point at a switch to see its request.");
  section.hidden = false;
  function showSent(update: PreferencesUpdate, sent?: SentUpdate): void {
    showLast = () => {
      show(update, ...describeSent(sent?.result));
      response.replaceChildren(...buildResponse(sent));
      response.hidden = false;
    };
    showLast();
  }
  function showNext(update?: PreferencesUpdate): void {
    if (update) show(update, "This switch sends:");
    else if (isNext) showLast();
    isNext = update !== undefined;
  }
  return { showSent, showNext };
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
  const others = changes.length - items.length;
  if (others > 0) items.push(element("li", { className: "soft" }, `and ${others} more`));
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
  status: PanelStatus,
  on: { load(): void; preview: ReturnType<typeof createRequestPreview> },
) {
  let current = preferences;
  let pending = 0;
  let queue = Promise.resolve();
  const undoable: Change[] = [];
  const enqueue = (update: PreferencesUpdate, kind: UpdateKind): void => {
    pending += 1;
    queue = queue.then(() => send(update, kind));
  };
  const { table, show } = createMatrix(workflows, preferences, {
    update: (change, isReset) => enqueue(change, isReset ? "reset" : "switch"),
    preview: on.preview.showNext,
  });
  const showCurrent = () => pending === 0 && show(current);

  async function send(update: PreferencesUpdate, kind: UpdateKind): Promise<void> {
    on.preview.showSent(update);
    await status.act(
      async () => {
        const before = current;
        const result = await api.updatePreferences(subscriberId, update);
        on.preview.showSent(update, { result, before });
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
    void status.load(
      async () => dataOf(await api.readPreferences(subscriberId)),
      (latest) => {
        if (pending > 0) return;
        if (latest.workflows.length !== current.workflows.length) return on.load();
        current = latest;
        show(current);
      },
    );
  }
  return { table, update, undo: () => undo() };
}

type UpdateKind = "switch" | "reset" | "undo";

interface Change {
  text: string;
  /** The updates that take it back. */
  reverse: PreferencesUpdate[];
}
