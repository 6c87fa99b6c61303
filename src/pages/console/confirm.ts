// Dialogs: what is lost is asked before.
import { find } from "../docs-page/dom.js";

/** @param question names the environment. @param action the button's text. */
export async function confirmAction(question: string, action: string): Promise<boolean> {
  const dialog = find("dialog", "#confirm");
  find("h2", "h2", dialog).textContent = action;
  find("p", "[data-text]", dialog).textContent = question;
  find("button", "[value=yes]", dialog).textContent = action;
  return (await openDialog(dialog)) === "yes";
}

/** Resolves with the value of the button that closes the dialog; empty for Escape. */
export function openDialog(dialog: HTMLDialogElement): Promise<string> {
  dialog.returnValue = "";
  if (!dialog.open) dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue), { once: true });
  });
}
