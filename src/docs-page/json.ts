// JSON for people: coloured, with objects and lists that can be collapsed. The text stays JSON.
import { element, span } from "./dom.js";

const MAX_HIGHLIGHTED = 200_000; // characters; longer text stays as it is

export interface JsonOptions {
  /** The place of the value: `body`. */
  path?: string;
  /** Places that are wrong: `body.channels.emial`. */
  wrong?: ReadonlySet<string>;
}

/** Shows a text in an element: JSON coloured, other text as it is. */
export function showJson(code: HTMLElement, text: string, { path = "", wrong = new Set() }: JsonOptions = {}): void {
  code.replaceChildren(text);
  if (text.length > MAX_HIGHLIGHTED || !/^\s*[[{]/.test(text)) return;
  try {
    code.replaceChildren(...toLines(JSON.parse(text), "", "", path));
  } catch {
    // not JSON: such as a truncated response
  }

  /** @param before what stands before the value in its first line. */
  function toLines(value: unknown, before: Node | string, after: string, place: string, indent = ""): HTMLElement[] {
    const mark = wrong.has(place) ? "line wrong" : "line";
    if (typeof value !== "object" || value === null || Object.keys(value).length === 0) {
      const className = typeof value === "string" ? "s" : "n";
      return [span(mark, indent, before, span(className, JSON.stringify(value)), after)];
    }
    const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
    const entries = Object.entries(value);
    const lines = entries.flatMap(([key, member], index) => {
      const comma = index < entries.length - 1 ? "," : "";
      const isList = Array.isArray(value);
      const name = isList ? "" : span("", span("k", JSON.stringify(key)), ": ");
      return toLines(member, name, comma, isList ? `${place}[${key}]` : `${place}.${key}`, `${indent}  `);
    });
    if (indent === "") return [span(mark, open), ...lines, span("line", close, after)];
    const summary = element("summary", { className: mark }, indent, before, open);
    return [
      element("details", { className: "fold", open: true }, summary, ...lines),
      span("line", indent, close, after),
    ];
  }
}
