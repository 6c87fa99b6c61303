// HTML made of templates. Whatever is put into one is escaped, unless it is HTML made here.

export class Html {
  constructor(readonly text: string) {}
  toString(): string {
    return this.text;
  }
}

type Part = Html | string | number | undefined | false | readonly Part[];

/** html`<p>${anything}</p>`; lists are joined, undefined and false are nothing. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(strings.map((text, index) => text + (index < parts.length ? toText(parts[index]) : "")).join(""));
}

function toText(part: Part): string {
  if (part === undefined || part === false) return "";
  if (part instanceof Html) return part.text;
  return Array.isArray(part) ? part.map(toText).join("") : escapeText(String(part));
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function escapeText(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** A text of the contract: its paragraphs, and `code` as code. Nothing else of Markdown is used there. */
export function prose(text: string | undefined): Html[] {
  const paragraphs = (text ?? "").trim().split(/\n\s*\n/);
  return paragraphs.filter((one) => one !== "").map((one) => html`<p>${inline(one)}</p>`);
}

export function inline(text: string): Html[] {
  return text.split("`").map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
}

/** A name that can stand in an `id` and after `#`. */
export function toAnchor(...parts: (string | number)[]): string {
  return parts.join("-").replaceAll(/[^\w.-]+/g, "-");
}

export function heading(level: number, id: string, content: Html | string): Html {
  return new Html(`<h${level} id="${escapeText(id)}">${toText(content)}</h${level}>`);
}
