// The model of a report: builders that return plain data. The renderers beside this file write it as HTML, as Markdown
// and for the terminal, and escape every text. A report decides on the content, a renderer on its look.
export type Tone = "good" | "bad" | "warn" | "soft";

/** Text with a meaning. */
export interface Span {
  kind: "code" | "strong" | "toned" | "tag" | "link" | "number";
  text: string;
  tone?: Tone | undefined;
  /** The target of a link. */
  href?: string;
  /** Shown on demand: the text of a clause. */
  title?: string | undefined;
}

/** The content of a block. Strings are literal; lists are joined; undefined and false are omitted. */
export type Content = string | number | Span | Block | undefined | false | readonly Content[];

/** The first cell is the row's head. A number stands at the right. */
export interface Row {
  cells: readonly Content[];
  id?: string | undefined;
  /** A heading of the rows beneath it, with one cell. */
  isGroup?: boolean;
}

export type Block =
  | { kind: "heading"; content: Content; head: Head }
  | { kind: "paragraph"; content: Content }
  | { kind: "list"; items: readonly Content[]; isOrdered?: boolean }
  | ({ kind: "table"; rows: readonly Row[] } & TableOptions)
  | { kind: "pairs"; pairs: readonly (readonly [term: string, content: Content])[] }
  /**
   * The label is for screen readers. `wrong` has places to mark, with what is wrong there: in JSON as `body.data.0`, in
   * a text the index of a line.
   */
  | {
      kind: "codeBlock";
      text: string;
      language: "sh" | "http" | "json" | "diff" | "text";
      label: string;
      wrong?: Readonly<Record<string, string>>;
    }
  /** With a head, the summary is a heading. */
  | ({ kind: "details"; summary: Content; content: Content; head?: Head | undefined } & DetailsOptions)
  /** Shares of a whole. */
  | { kind: "bar"; label: string; parts: readonly BarPart[] }
  /** A failure, a change, a reason. */
  | ({ kind: "entry"; content: Content } & EntryOptions)
  | { kind: "callout"; tone: Tone; title: Content; content: Content };

interface TableOptions {
  label: string;
  columns: readonly string[];
  /** In HTML, as wide as the columns of the other tables of its kind: a case, its outcome, its rules, its time. */
  isFixed?: boolean;
}

interface Head {
  level: 2 | 3;
  id?: string | undefined;
}

export interface DetailsOptions extends Pick<Row, "id"> {
  /** A second line of the summary. */
  note?: Content;
  /**
   * At the right end of the summary, where counts stand beneath each other. The number 1 says nothing, and is left out.
   */
  count?: number | string | undefined;
  /** In HTML, shown open at first. */
  isOpen?: boolean | undefined;
  /** In HTML, a line among others, such as in a cell of a table. */
  isPlain?: boolean;
}

export interface BarPart {
  name: string;
  count: number;
  tone: Tone;
}

interface EntryOptions {
  tone: Tone;
  title: Content;
  id?: string | undefined;
}

export type BlockOf<Kind extends Block["kind"]> = Extract<Block, { kind: Kind }>;

export const code = (text: string): Span => ({ kind: "code", text });
export const strong = (text: string): Span => ({ kind: "strong", text });
export const toned = (text: string, tone: Tone): Span => ({ kind: "toned", text, tone });
export const soft = (text: string): Span => toned(text, "soft");
/** The number of a cause or a reason. */
export const numbered = (number: number): Span => ({ kind: "number", text: String(number) });
export const tag = (text: string, tone?: Tone): Span => ({ kind: "tag", text, tone });
export const link = (text: string, href: string, title?: string): Span => {
  return { kind: "link", text, href, title };
};
/** A text of the contract: `code` becomes code, and there is no other Markdown in it. */
export function marked(text: string): Content[] {
  return text.split("`").map((part, index) => (index % 2 === 1 ? code(part) : part));
}

export const paragraph = (...content: Content[]): Block => ({ kind: "paragraph", content });
export const list = (items: readonly Content[]): Block => ({ kind: "list", items });
export const steps = (items: readonly Content[]): Block => ({ kind: "list", items, isOrdered: true });
export const pairs = (entries: BlockOf<"pairs">["pairs"]): Block => ({ kind: "pairs", pairs: entries });
export const entry = (options: EntryOptions, ...content: Content[]): Block => ({ kind: "entry", content, ...options });

export function heading(level: 2 | 3, content: Content, id?: string): Block {
  return { kind: "heading", content, head: { level, id } };
}

export function callout(tone: Tone, title: Content, ...content: Content[]): Block {
  return { kind: "callout", tone, title, content };
}

export function codeBlock(text: string, options: Partial<BlockOf<"codeBlock">> = {}): Block {
  return { kind: "codeBlock", text, language: "text", label: "Code", ...options };
}

/** A status that is wrong, above its body. @param reason `expected 422` */
export function wrongStatus(status: number | string, reason: string): Block {
  return codeBlock(`HTTP ${status}`, { label: "Response status", wrong: { 0: reason } });
}

export function table(options: TableOptions, rows: readonly (Row | readonly Content[])[]): Block {
  return { kind: "table", ...options, rows: rows.map((row) => ("cells" in row ? row : { cells: row })) };
}

export function details(summary: Content, content: Content, head?: Head, options: DetailsOptions = {}): Block {
  return { kind: "details", summary, content, head, ...options };
}

/** Shares of zero are left out. */
export function bar(label: string, parts: readonly BarPart[]): Block {
  return { kind: "bar", label, parts: parts.filter(({ count }) => count > 0) };
}

/** False for a part of a line. */
export function isBlock(content: Content): content is Block {
  return typeof content === "object" && "kind" in content && !INLINE.has(content.kind);
}

const INLINE: ReadonlySet<string> = new Set<Span["kind"]>(["code", "strong", "toned", "tag", "link", "number"]);

/** Removes nesting and empty parts. */
export function flattenContent(content: Content): (string | Span | Block)[] {
  if (content === undefined || content === false) return [];
  if (typeof content === "number") return [String(content)];
  if (typeof content === "string") return content === "" ? [] : [content];
  return "kind" in content ? [content] : content.flatMap(flattenContent);
}

/** The texts of its spans. */
export function formatContent(content: Content): string {
  const texts = flattenContent(content).map((part) => (typeof part === "string" ? part : "text" in part && part.text));
  return texts.filter(Boolean).join("");
}

/** Splits content into its blocks and the lines between them. */
export function splitLines(content: Content): (Block | (string | Span)[])[] {
  const lines: (Block | (string | Span)[])[] = [];
  for (const part of flattenContent(content)) {
    const last = lines.at(-1);
    if (isBlock(part)) lines.push(part);
    else if (Array.isArray(last)) last.push(part);
    else lines.push([part]);
  }
  return lines;
}

/** An instant to the minute: `2026-12-31 23:59 UTC`. */
export const formatMinute = (instant: string) => `${instant.slice(0, 16).replace("T", " ")} UTC`;

/** A bar in words: `456 passed, 42 failed`. */
export function formatShares({ parts }: BlockOf<"bar">): string {
  return parts.map(({ name, count }) => `${count} ${name}`).join(", ");
}

/** The summary of a folded part in one line, for formats without columns. */
export function buildSummary({ summary, note, count }: BlockOf<"details">): Content {
  return [summary, note !== undefined && [" ", note], isWorthShowing(count) && ` (${count})`];
}

export const isWorthShowing = (count: DetailsOptions["count"]) => typeof count === "string" || (count ?? 0) > 1;

/** Escapes control and format characters: a target's text must not control a terminal, nor mislead a reader. */
export function escapeControls(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}]/gu, (character) => (character === "\n" ? character : escapeOf(character)));
}

/** `\u001b`. */
export function escapeOf(text: string): string {
  return `\\u${text.codePointAt(0)?.toString(16).padStart(4, "0")}`;
}
