// A message over the page that goes by itself, with a button that takes the action back if it can be.
import { button, element, span } from "../script/dom.js";

const SHOWN_MS = 8_000;

const place = element("div", { className: "toast", role: "status" });

export function showToast(text: string, undo?: () => Promise<void> | void): void {
  const toast = element("div", {}, span("", text));
  const timer = setTimeout(() => toast.remove(), SHOWN_MS);
  const press = () => {
    clearTimeout(timer);
    toast.remove();
    return undo?.();
  };
  if (undo) toast.append(button("Undo", press));
  if (!place.isConnected) document.body.append(place);
  place.replaceChildren(toast);
}
