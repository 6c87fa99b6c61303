// Saves a text as a file.
import { element } from "../script/dom.js";

export function download(name: string, text: string): void {
  const href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  element("a", { href, download: name }).click();
  URL.revokeObjectURL(href);
}
