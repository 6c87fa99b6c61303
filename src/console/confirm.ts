// Asks before something is lost.
import { find } from "../docs-page/dom.js";

/** @param question names the environment. @param action the button's text. */
export function confirmAction(question: string, action: string): Promise<boolean> {
  const dialog = find("dialog", "#confirm");
  find("h2", "h2", dialog).textContent = action;
  find("p", "[data-text]", dialog).textContent = question;
  find("button", "[value=yes]", dialog).textContent = action;
  dialog.returnValue = ""; // stays so on Escape
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true });
  });
}
