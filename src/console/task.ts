// Loading and error states of a panel: each says what it does, and what went wrong.
import { button, element, find } from "./dom.js";

export interface Task {
  /**
   * Asks and shows the answer. Of several questions the latest counts. A fault is shown with a way to try again.
   * @param show is not called with the answer to a question that a later one has overtaken.
   */
  run<Answer>(ask: () => Promise<Answer>, show: (answer: Answer) => void): Promise<void>;
  /** Says something in the place of the state. */
  say(...content: (Node | string)[]): void;
}

/** What takes less is not announced: a flicker says nothing. */
const PATIENCE_MS = 200;

/** Several tasks of one panel share the place where its state stands. */
export function createTask(panel: HTMLElement): Task {
  const state = find("p", "[data-state]", panel);
  let latest = 0;
  let hasSaid = false;

  const task: Task = {
    async run(ask, show) {
      latest += 1;
      const mine = latest;
      const notice = setTimeout(() => task.say("Loading …"), PATIENCE_MS);
      panel.ariaBusy = "true";
      try {
        const answer = await ask();
        if (mine !== latest) return;
        hasSaid = false;
        show(answer);
        if (!hasSaid) task.say();
      } catch (error) {
        if (mine !== latest) return;
        const again = button("Try again", () => task.run(ask, show));
        task.say(element("span", { className: "bad" }, toReason(error)), " ", again);
      } finally {
        clearTimeout(notice);
        if (mine === latest) panel.ariaBusy = null;
      }
    },
    say(...content) {
      hasSaid = true;
      const isSame = content.length === 1 && content[0] === state.innerHTML;
      if (!isSame) state.replaceChildren(...content); // it would be read out once more
    },
  };
  return task;
}

/** A fault in words for whoever reads the page. */
export function toReason(error: unknown): string {
  // fetch gives a TypeError, and nothing more, when there is no answer.
  if (error instanceof TypeError) return "No answer: the connection was closed, or the server is gone.";
  if (error instanceof SyntaxError) return `The answer is not JSON: ${error.message}.`;
  return error instanceof Error ? error.message : String(error);
}
