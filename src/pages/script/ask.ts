// A question before something is lost.
import { element } from "./dom.js";

interface Answer {
  value: string;
  text: string;
  /** False for an answer that loses data. */
  isSafe?: boolean;
}

/**
 * Shows a dialog, where Enter loses no data. Returns the value of the answer; empty for Cancel and Escape.
 * @param note what is lost.
 */
export function ask(question: string, answers: readonly Answer[], note = ""): Promise<string> {
  const buttons = answers.map(({ value, text, isSafe }) =>
    element("button", { type: "submit", value, className: isSafe ? "" : "danger" }, text),
  );
  const cancel = element("button", { type: "submit", value: "", className: "quiet" }, "Cancel");
  cancel.autofocus = !answers[0]?.isSafe;
  const row = element("div", { className: "row" }, ...buttons, cancel);
  const form = element(
    "form",
    { method: "dialog" },
    element("h2", {}, question),
    note !== "" && element("p", {}, note),
    row,
  );
  const dialog = element("dialog", { ariaLabel: question }, form);
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue);
    });
  });
}
