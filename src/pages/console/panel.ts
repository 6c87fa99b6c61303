// What the views share: the selected environment and its keys, the frame of a view, how a view loads data and acts, and
// a message below it.
import type { Client, Result } from "../../browser/client/client.js";
import { type Control, ControlError, type Environment } from "../../browser/client/control.js";
import { formatCurl, type RequestSpec } from "../../contract/request.js";
import type { ConsoleData } from "../docs/console-data.js";
import { button, element, type Field, find, span, unmarkField } from "../script/dom.js";
import { markErrors } from "./form.js";
import type { View } from "./navigation.js";

export interface Selection {
  control: Control;
  environment: Environment;
  /** When the environment's clock showed its time. */
  loadedAt: number;
  /** Undefined until the API key is known. */
  api: Client | undefined;
}

export interface Panel {
  element: HTMLElement;
  /**
   * Shows its part of the selection. Called on every change of the environment while the panel is visible.
   * @param isNew true if it has to load everything: another environment is selected, or the panel was hidden.
   */
  show(isNew: boolean): void;
}

let current: Selection | undefined;

/** Errors of another environment go. */
export function select(selection: Selection): void {
  if (current && current.environment.name !== selection.environment.name) {
    document.querySelectorAll<Field>("[aria-invalid]").forEach(unmarkField);
    for (const output of document.querySelectorAll("main [data-state]")) output.replaceChildren();
  }
  current = selection;
}

/** The selection that the visible view's buttons and forms act on. */
export function selected(): Selection {
  if (!current) throw new Error("No view is visible before an environment is selected.");
  return current;
}

/** The address of a view of the selected environment. */
export function linkTo(view: View, parameters: Record<string, string>): string {
  return `?${new URLSearchParams({ environment: selected().environment.name, ...parameters })}#${view}`;
}

export interface Frame {
  panel: HTMLElement;
  runner: Runner;
  /** Shows what there is to do where there are no records. Without a text, hides it. */
  showEmpty(text?: string, ...actions: HTMLElement[]): void;
  /** The place of what `showEmpty` shows. */
  empty: HTMLElement;
}

/** A view with its bar. @param bar what the bar has after the title. */
export function buildFrame(view: View, title: string, bar: readonly (HTMLElement | string)[]): Frame {
  const heading = element("h2", { id: `${view}-title` }, title);
  const state = buildState();
  const empty = element("div", { className: "empty soft", ariaLive: "polite" });
  const panel = element(
    "section",
    { id: view, hidden: true },
    element("div", { className: "bar row" }, heading, ...bar, state),
  );
  panel.setAttribute("aria-labelledby", heading.id);
  return {
    panel,
    empty,
    runner: createRunner(panel, state),
    showEmpty(text, ...actions) {
      empty.replaceChildren(...(text === undefined ? [] : [element("p", {}, text), ...actions]));
    },
  };
}

/** Where a view says what it does, and what went wrong. */
export function buildState(): HTMLParagraphElement {
  const state = element("p", { role: "status", className: "soft small" });
  state.dataset.state = "";
  return state;
}

type Run = <T>(
  action: (control: Control, environment: string) => Promise<T>,
  done: (result: T) => void,
  form?: HTMLFormElement,
) => Promise<void>;

export interface Runner {
  /**
   * Loads and shows data, or shows the error: at the form's field that it is about, or else here, with a button to try
   * again unless the request would be rejected again. Drops a response that arrives after a later load, or after
   * another environment was selected.
   */
  load: Run;
  /** The same for an action of the user, which a later load does not make obsolete. */
  act: Run;
  say(text: string): void;
}

/** For faster responses, a notice would only flicker. */
const NOTICE_AFTER_MS = 200;

export function createRunner(panel: HTMLElement, output: HTMLElement): Runner {
  return {
    load: createRun(panel, output),
    act: createRun(panel, output),
    say(text) {
      if (output.textContent !== text) output.textContent = text; // a screen reader would repeat the text
    },
  };
}

function createRun(panel: HTMLElement, output: HTMLElement): Run {
  let latest = 0;
  let message: HTMLElement | undefined;
  const show = (...content: (Node | string)[]) => {
    message = span("", ...content);
    output.replaceChildren(message);
  };
  return async function run(action, done, form) {
    latest += 1;
    const current = latest;
    const { control, environment } = selected();
    const isOutdated = () => current !== latest || environment.name !== selected().environment.name;
    const isFree = () => output.textContent === "" || message?.isConnected; // another run's error stays
    const notice = setTimeout(() => !isOutdated() && isFree() && show("Loading …"), NOTICE_AFTER_MS);
    const retry = () => run(action, done, form);
    panel.ariaBusy = "true";
    try {
      const result = await action(control, environment.name);
      if (isOutdated()) return;
      message?.remove();
      done(result);
    } catch (error) {
      if (isOutdated()) return;
      if (form && markErrors(form, error)) message?.remove();
      else show(span("bad", messageOf(error)), " ", canRecover(error) ? button("Try again", retry) : "");
    } finally {
      clearTimeout(notice);
      if (current === latest) panel.ariaBusy = null;
    }
  };
}

/** @throws Error with the status and message of an error response, or the error of fetch without a response. */
export function dataOf<R extends Result<"updatePreferences"> | Result<"listNotifications">>(
  result: R,
): Extract<R, { ok: true }>["data"] {
  if (result.ok) return result.data;
  if (result.status === 0) throw result.error.kind === "network" ? result.cause : new Error(result.error.message);
  throw new ResponseError(result.status, result.error.message);
}

class ResponseError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(`${status}: ${message}`);
  }
}

/** False for a request that would be rejected again. */
function canRecover(error: unknown): boolean {
  if (error instanceof SyntaxError) return false;
  return !(error instanceof ControlError || error instanceof ResponseError) || !/^4/.test(String(error.status));
}

export function messageOf(error: unknown): string {
  if (isNetworkError(error)) return "No response: the connection was closed, or the server has stopped.";
  if (error instanceof SyntaxError) return `This is not JSON: ${error.message}.`;
  return error instanceof Error ? error.message : String(error);
}

/** True if there was no response. fetch reports that as a TypeError without details. */
export function isNetworkError(error: unknown): boolean {
  return error instanceof TypeError || (error instanceof ControlError && error.status === 0);
}

/** The contract's values, which docs/server-pages.ts writes into the page. */
export const pageData: ConsoleData = JSON.parse(find("script", "#data").textContent ?? "");

const SHOWN_MS = 8_000;

const place = element("div", { className: "toast", role: "status" });

/** @param gone called when the message goes, and with it the action. */
export function showToast(text: string, action?: () => Promise<void> | void, gone = () => {}, name = "Undo"): void {
  const toast = element("div", {}, span("", text));
  const opener = document.activeElement as HTMLElement | null;
  const remove = () => {
    if (toast.contains(document.activeElement)) opener?.focus();
    toast.remove();
    gone();
  };
  const timer = setTimeout(() => toast.isConnected && remove(), SHOWN_MS);
  const press = () => {
    clearTimeout(timer);
    const acting = action?.();
    remove();
    return acting;
  };
  if (action) toast.append(button(name, press));
  if (!place.isConnected) find("main", "#main").append(place);
  place.replaceChildren(toast);
}

/** As of an action that is not the latest any more. */
export function hideToast(): void {
  place.replaceChildren();
}

const CONTROL_KEY = "control-key";

export function readControlKey(): string | undefined {
  return sessionStorage.getItem(CONTROL_KEY) ?? undefined;
}

/** False if the user enters none. */
export function promptForControlKey(message: string): boolean {
  const key = prompt(`${message}\n\nThe key of --control-key, which is stored until this tab is closed:`);
  if (key) sessionStorage.setItem(CONTROL_KEY, key);
  return Boolean(key);
}

/** The key that the server reports, or that the user has entered. */
export function apiKeyOf({ name, apiKey }: Environment): string | undefined {
  return apiKey ?? sessionStorage.getItem(toItemName(name)) ?? undefined;
}

/** A request to the API with the selected environment's key. */
export function buildApiRequest(method: string, target: string, update?: object): RequestSpec {
  const headers = { authorization: `ApiKey ${apiKeyOf(selected().environment) ?? "<API key>"}` };
  if (!update) return { method, target, headers };
  return { method, target, headers: { ...headers, "content-type": "application/json" }, body: JSON.stringify(update) };
}

export function formatApiCurl(method: string, target: string): string {
  return formatCurl(buildApiRequest(method, target), location.origin);
}

export function storeApiKey(environment: string, apiKey: string): void {
  sessionStorage.setItem(toItemName(environment), apiKey);
}

export function showMissingKey(showEmpty: Frame["showEmpty"]): void {
  const text = "The server stores keys as hashes, so the key of this environment must be entered.";
  showEmpty(text, element("a", { href: "#environment" }, "Enter the API key"));
}

function toItemName(environment: string): string {
  return `api-key ${environment}`;
}
