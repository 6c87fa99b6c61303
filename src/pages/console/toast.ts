// A message below the view, so that it covers nothing. It goes by itself, and has a button for what is done next:
// usually, to take the action back.
import { button, element, find, span } from "../script/dom.js";

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
