// JSON for people: coloured, with objects and lists that can be collapsed. The text stays the same JSON. What is long is collapsed,
// and becomes elements when it is opened, so that a page does not grow with the responses that it shows.
import { element, span } from "./dom.js";

export interface JsonOptions {
  /** How many lines are shown before something is opened. */
  lines?: number;
  /** The place of the value: `body`. */
  path?: string;
  /** Places that are wrong: `body.channels.emial`, `query.channels.0`. */
  wrong?: ReadonlySet<string>;
}

/** Shows a text in an element: JSON coloured, other text as it is. */
export function showJson(code: HTMLElement, text: string, options: JsonOptions = {}): void {
  const { lines: most = 40, path = "", wrong = new Set() } = options;
  code.replaceChildren(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return; // not JSON: such as a truncated response
  }
  let budget = most;
  if (!isContainer(value)) return;
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  code.replaceChildren(`${open}\n`, ...toLines(value, path, "  "), close ?? "");

  function toLines(container: object, place: string, indent: string): (Node | string)[] {
    const isList = Array.isArray(container);
    const entries = Object.entries(container);
    budget -= entries.length;
    return entries.flatMap(([key, member], index) => {
      const comma = index < entries.length - 1 ? "," : "";
      const memberPlace = `${place}.${key}`;
      const name = isList ? [] : [span("k", JSON.stringify(key)), ": "];
      const mark = wrong.has(memberPlace) ? "wrong" : "";
      if (isContainer(member)) return [toFold(member, memberPlace, indent, comma, [indent, ...name], mark)];
      const line = [indent, ...name, span(typeof member === "string" ? "s" : "n", JSON.stringify(member)), comma];
      return mark === "" ? [...line, "\n"] : [span(mark, ...line), "\n"];
    });
  }

  function toFold(
    member: object,
    place: string,
    indent: string,
    comma: string,
    head: (Node | string)[],
    mark: string,
  ): HTMLDetailsElement {
    const [open = "", close = ""] = Array.isArray(member) ? "[]" : "{}";
    const whole = JSON.stringify(member, null, 2).split("\n").slice(1, -1);
    const summary = element("summary", { className: mark }, ...head, open);
    const count = Object.keys(member).length;
    const unit = Array.isArray(member) ? "item" : "member";
    summary.dataset.count = ` … ${count} ${unit}${count === 1 ? "" : "s"} ${close}${comma}`;
    const content = element("span", {}, `${whole.map((line) => indent + line).join("\n")}\n`);
    const fold = element("details", { className: "fold" }, summary, content, `${indent}${close}${comma}\n`);
    let isBuilt = false;
    const build = () => {
      if (!isBuilt) content.replaceChildren(...toLines(member, place, `${indent}  `));
      isBuilt = true;
    };
    const isShortList = Array.isArray(member) && count <= budget / 4; // its items are collapsed
    if (whole.length <= budget || isShortList) {
      build();
      fold.open = true;
    }
    fold.addEventListener("toggle", () => {
      budget = most;
      if (fold.open) build();
    });
    return fold;
  }
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}
