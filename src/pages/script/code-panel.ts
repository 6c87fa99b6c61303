// Code with a Copy button, and coloured JSON.
import { parseJson } from "../../contract/json.js";
import { element, find, span } from "./dom.js";
import { findJsonError } from "./malformed-json.js";

export function snippet(label: string, text: string): HTMLElement {
  const bar = element("div", { className: "panel-bar" }, span("soft", label), copyButton(label));
  const panel = element("div", { className: "panel" }, bar, codeBlock(label, text));
  colourCode(find("code", "code", panel.lastElementChild ?? panel));
  return panel;
}

export function jsonPanel(label: string, text: string, options?: JsonOptions): HTMLElement {
  const panel = snippet(label, text);
  const code = panel.querySelector("code");
  if (code) showJson(code, text, options);
  return panel;
}

/** Copies the code beside it: see `startCopying`. */
export function copyButton(what: string, text = "Copy", className = "quiet"): HTMLButtonElement {
  const copy = element("button", { type: "button", className, ariaLabel: `${text}: ${what}` }, text);
  copy.dataset.copy = "";
  return copy;
}

/** Code that can be scrolled by keyboard. */
export function codeBlock(label: string, text: string): HTMLElement {
  return element("pre", { tabIndex: 0, role: "group", ariaLabel: label }, element("code", {}, text));
}

/** Makes every button with `data-copy` copy the code beside it. */
export function startCopying(): void {
  document.addEventListener("click", async ({ target }) => {
    const pressed = (target as Element).closest<HTMLButtonElement>("[data-copy]");
    if (!pressed) return;
    const code = pressed.closest(".panel, .row")?.querySelector("code");
    await navigator.clipboard.writeText(code?.textContent ?? "");
    if (pressed.matches(".done")) return;
    const { textContent, ariaLabel } = pressed;
    Object.assign(pressed, { textContent: "Copied", ariaLabel: null }); // the label would hide the text
    pressed.classList.add("done");
    const restore = () => {
      Object.assign(pressed, { textContent, ariaLabel });
      pressed.classList.remove("done");
    };
    pressed.addEventListener("blur", restore, { once: true });
  });
}

const TOKENS =
  /(^#.*$)|("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|\b(import|from|const|await|new|if|else|true|false|null)\b|\b(\d+)\b/m;

/** Colours texts, keywords and numbers of a piece of code. The text stays. */
export function colourCode(code: Element): void {
  const parts = (code.textContent ?? "").split(TOKENS);
  const classes = [undefined, "soft", "s", "k", "n"];
  code.replaceChildren(
    ...parts.flatMap((part, index) => {
      const name = classes[index % 5];
      if (part === undefined || part === "") return [];
      if (name === undefined)
        return part.split(/( \\)(?=\n)/).map((piece) => (piece === " \\" ? span("continued", piece) : piece));
      return buildText(name, part);
    }),
  );
}

const MAX_UNBROKEN = 40;

/** Where it is long, it may break between words, and at the parts of an address. */
function buildText(className: string, text: string): HTMLElement {
  const [start = "", ...pieces] = text.length > MAX_UNBROKEN ? text.split(/(?<=[ /,?&])/) : [text];
  return span(className, start, ...pieces.flatMap((other) => [element("wbr"), other]));
}

/** Of the members `decision` and `clause`, a link to what they cite: on this page, or in the docs of this server. */
function buildCitation(value: unknown, place: string): HTMLElement | undefined {
  if (typeof value !== "string" || !/\.(decision|clause)$/.test(place)) return undefined;
  const [, clause, decision] = /^(?:§(\d+(?:\.\d+)*)|(D-\d+))(?: |$)/.exec(value) ?? [];
  const id = clause === undefined ? `decision-${decision}` : `clause-${clause}`;
  const docs = document.querySelector("header")?.querySelector("a[href='/docs']"); // a report of MBs is not searched
  const page = document.getElementById(id) ? "" : docs && "/docs";
  if (clause === decision || page == null) return undefined; // neither, or a report without docs
  return span("s", '"', element("a", { href: `${page}#${id}` }, value), '"');
}

export interface JsonOptions {
  /** The place of the value: `body`. */
  path?: string;
  /** Places to mark, such as `body.channels.emial`, with what is wrong there. A missing member is a line of its own. */
  wrong?: ReadonlyMap<string, string>;
  /** True to hide all but the first item of a long list. */
  foldsLists?: boolean;
}

const MAX_LIST_LINES = 24;

/** The most lines of a value that is beside the wrong one. */
const MAX_LINES_BESIDE = 6;

const countLines = (value: unknown) => JSON.stringify(value, null, 1).split("\n").length;

/** Shows a text in an element: JSON indented and coloured, other text unchanged. */
export function showJson(code: HTMLElement, text: string, options: JsonOptions = {}): void {
  const { path = "", wrong = new Map(), foldsLists = false } = options;
  try {
    code.replaceChildren(...buildParts(JSON.parse(text), path, ""));
  } catch {
    code.replaceChildren(...markMalformed(text, wrong.get(path))); // or not JSON, such as a truncated response
  }

  function buildParts(value: unknown, place: string, indent: string): (Node | string)[] {
    const isList = Array.isArray(value);
    const entries = typeof value === "object" && value !== null ? Object.entries(value) : [];
    const missing = findMissing(value, place);
    if (entries.length + missing.length === 0)
      return [buildCitation(value, place) ?? buildText(typeof value === "string" ? "s" : "n", JSON.stringify(value))];
    const lines = entries.map(([key, member], index) => {
      const memberPlace = `${place}.${key}`;
      const name = isList ? [] : [span("k", JSON.stringify(key)), ": "];
      const end = index < entries.length - 1 ? ",\n" : "\n";
      const isCut = isFarFromWrong(memberPlace) && !isFarFromWrong(place);
      const parts = buildParts(member, memberPlace, `${indent}  `);
      const line = [`${indent}  `, ...name, ...(isCut ? foldLong(parts, member) : parts), end];
      const reason = wrong.get(memberPlace);
      if (reason === undefined) return line;
      if (parts.length === 1) return [mark(reason, ...line)];
      const opened = line.splice(0, name.length + 2); // the reason stands at the line that opens a list or an object
      return [mark(reason, ...opened), span("wrong", element("span", {}, ...line))];
    });
    const marks = missing.map((name) => mark(`${name} ${wrong.get(`${place}.${name}`)}`, " \n"));
    const [first = [], ...further] = lines;
    const [start = "", ...rest] = further.flat();
    const isFolded = foldsLists && isList && further.length > 1 && countLines(value) > MAX_LIST_LINES;
    const shown = isFolded
      ? [...first, start, ...fold(rest.slice(0, -1), `${further.length} more`), "\n"]
      : lines.flat();
    return [isList ? "[\n" : "{\n", ...shown, ...marks, indent, isList ? "]" : "}"];
  }

  function isFarFromWrong(place: string): boolean {
    return wrong.size > 0 && [...wrong.keys()].every((key) => !`${key}.`.startsWith(`${place}.`));
  }

  /** The names of members that the value lacks, and that are marked. */
  function findMissing(value: unknown, place: string): string[] {
    if (typeof value !== "object" || value === null) return [];
    const names = [...wrong.keys()]
      .filter((key) => key.startsWith(`${place}.`))
      .map((key) => key.slice(place.length + 1));
    return names.filter((name) => !name.includes(".") && !Object.hasOwn(value, name));
  }

  function foldLong(parts: (Node | string)[], value: unknown): (Node | string)[] {
    const count = countLines(value);
    return count <= MAX_LINES_BESIDE ? parts : fold(parts, `${count} lines`);
  }

  /** Hides parts behind a button that says how many they are. They are copied with the rest. */
  function fold(parts: (Node | string)[], size: string): (Node | string)[] {
    const folded = element("span", { hidden: true }, ...parts);
    const opener = element("button", { type: "button", className: "quiet fold", ariaLabel: `Show ${size}` });
    opener.dataset.text = `… ${size}`;
    opener.addEventListener("click", () => {
      opener.remove();
      folded.hidden = false;
    });
    return [opener, folded];
  }

  function mark(reason: string, ...line: (Node | string)[]): HTMLElement {
    const marked = span("wrong", element("span", {}, ...line));
    marked.dataset.reason = reason; // shown by the style, so that it is not copied
    return marked;
  }
}

/** Marks the token that makes a text malformed JSON, and its line. @param reason undefined for no mark. */
function markMalformed(text: string, reason: string | undefined): (Node | string)[] {
  if (reason === undefined || parseJson(text) !== undefined) return [text];
  const [start, end] = findJsonError(text);
  const [head = ""] = /.*$/.exec(text.slice(0, start)) ?? [];
  const [tail = ""] = /^.*/.exec(text.slice(end)) ?? [];
  const token = element("mark", {}, text.slice(start, end) || " ");
  const line = span("wrong", span("", head, token, tail));
  line.dataset.reason = reason;
  return [text.slice(0, start - head.length), line, text.slice(end + tail.length + 1)];
}
