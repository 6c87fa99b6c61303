// Loading and error states of a panel.
import { type Control, ControlError } from "../../browser/client/control.js";
import { button, element, find, showEmpty, span } from "../docs-page/dom.js";
import { selected } from "./selection.js";

type Run = <Result>(
  action: (control: Control, environment: string) => Promise<Result>,
  done: (result: Result) => void,
) => Promise<void>;

export interface PanelStatus {
  /**
   * Loads something and shows it, or shows the error with a way to try again. What arrives after a later load, or for an
   * environment that is no longer shown, is dropped.
   */
  load: Run;
  /** The same for what a user does: its error stays whatever is loaded meanwhile. */
  act: Run;
  /** Replaces what is shown, also the error of an action. */
  say(...content: (Node | string)[]): void;
}

/** Shorter loading is not announced: it would only flicker. */
const NOTICE_AFTER_MS = 200;

/** Several of one panel share the element that shows the status: each has its own part of it. */
export function createPanelStatus(panel: HTMLElement): PanelStatus {
  const output = find("p", "[data-state]", panel);
  const part = element("span");
  let hasMessage = false;
  let hasFailedAction = false;

  function say(...content: (Node | string)[]): void {
    hasMessage = true;
    hasFailedAction = false;
    const isSame = content.length === 1 && content[0] === part.textContent;
    if (!isSame) part.replaceChildren(...content); // a screen reader would read the same text again
    if (content.length === 0) part.remove();
    else if (!part.isConnected) output.append(part);
  }

  function createRun({ isAction }: { isAction: boolean }): Run {
    let latest = 0;
    const isSilent = () => hasFailedAction && !isAction; // as long as the error of an action is shown
    return async function run(action, done) {
      latest += 1;
      const own = latest;
      const { control, environment } = selected();
      const of = environment.name;
      const isOutdated = () => own !== latest || of !== selected().environment.name;
      const notice = setTimeout(() => isOutdated() || isSilent() || say("Loading …"), NOTICE_AFTER_MS);
      panel.ariaBusy = "true";
      try {
        const result = await action(control, of);
        if (isOutdated()) return;
        hasMessage = false;
        done(result);
        if (!hasMessage && !isSilent()) say();
      } catch (error) {
        if (isOutdated() || isSilent()) return;
        const [message, retry] = [span("bad", toMessage(error)), button("Try again", () => run(action, done))];
        if (!isAction && hasNothingToShow(panel)) {
          say();
          showEmpty(panel, message, retry);
        } else say(message, " ", retry);
        hasFailedAction = isAction;
      } finally {
        clearTimeout(notice);
        if (own === latest) panel.ariaBusy = null;
      }
    };
  }

  return { load: createRun({ isAction: false }), act: createRun({ isAction: true }), say };
}

function hasNothingToShow(panel: HTMLElement): boolean {
  return panel.querySelector("[data-empty]") !== null && panel.querySelector("tbody tr") === null;
}

export function toMessage(error: unknown): string {
  if (isNetworkError(error)) return "No response: the connection was closed, or the server is gone.";
  if (error instanceof SyntaxError) return `The response is not JSON: ${error.message}.`;
  return error instanceof Error ? error.message : String(error);
}

/** True if there was no response. fetch reports that as a TypeError without details. */
export function isNetworkError(error: unknown): boolean {
  return error instanceof TypeError || (error instanceof ControlError && error.status === 0);
}
