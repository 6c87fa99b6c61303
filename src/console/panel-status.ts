// Loading and error states of a panel.
import { button, find, span } from "./dom.js";

export interface PanelStatus {
  /**
   * Loads something and shows it, or shows the error with a way to try again. Only the latest call counts.
   * @param show is not called when a later call has started.
   */
  run<Result>(load: () => Promise<Result>, show: (result: Result) => void): Promise<void>;
  say(...content: (Node | string)[]): void;
}

/** Shorter loading is not announced: it would only flicker. */
const NOTICE_AFTER_MS = 200;

/** Several of one panel share the element that shows the status. */
export function createPanelStatus(panel: HTMLElement): PanelStatus {
  const output = find("p", "[data-state]", panel);
  let latest = 0;
  let hasMessage = false;

  const status: PanelStatus = {
    async run(load, show) {
      latest += 1;
      const own = latest;
      const notice = setTimeout(() => status.say("Loading …"), NOTICE_AFTER_MS);
      panel.ariaBusy = "true";
      try {
        const result = await load();
        if (own !== latest) return;
        hasMessage = false;
        show(result);
        if (!hasMessage) status.say();
      } catch (error) {
        if (own !== latest) return;
        const retry = button("Try again", () => status.run(load, show));
        status.say(span("bad", toMessage(error)), " ", retry);
      } finally {
        clearTimeout(notice);
        if (own === latest) panel.ariaBusy = null;
      }
    },
    say(...content) {
      hasMessage = true;
      const isSame = content.length === 1 && content[0] === output.innerHTML;
      if (!isSame) output.replaceChildren(...content); // a screen reader would read the same text again
    },
  };
  return status;
}

export function toMessage(error: unknown): string {
  // fetch throws a TypeError without details when there is no response.
  if (error instanceof TypeError) return "No response: the connection was closed, or the server is gone.";
  if (error instanceof SyntaxError) return `The response is not JSON: ${error.message}.`;
  return error instanceof Error ? error.message : String(error);
}
