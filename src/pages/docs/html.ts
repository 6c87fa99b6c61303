// HTML templates. Every value is escaped, unless it is HTML made by a template.

export class Html {
  constructor(readonly text: string) {}
  toString(): string {
    return this.text;
  }
}

type Part = Html | string | number | undefined | false | readonly Part[];

/** html`<p>${value}</p>`; lists are joined, undefined and false are omitted. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(strings.map((text, index) => text + (index < parts.length ? escapePart(parts[index]) : "")).join(""));
}

function escapePart(part: Part): string {
  if (part === undefined || part === false) return "";
  if (part instanceof Html) return part.text;
  return Array.isArray(part) ? part.map(escapePart).join("") : escapeText(String(part));
}

const ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  "\r": "&#13;",
};

function escapeText(text: string): string {
  return text.replaceAll(/[&<>"'\r]/g, (character) => ENTITIES[character] ?? character);
}

/** A text of the contract as paragraphs: `code` becomes code, and there is no other Markdown in it. */
export function prose(text: string | undefined): Html[] {
  const paragraphs = (text ?? "").trim().split(/\n\s*\n/);
  return paragraphs.filter((paragraph) => paragraph !== "").map((paragraph) => html`<p>${inline(paragraph)}</p>`);
}

export function inline(text: string): Html[] {
  return text
    .split("`")
    .map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${breakable(part)}`));
}

/** Text that may break at the slashes of a path. */
export function breakable(text: string): Html[] {
  return text.split("/").map((part, index) => (index === 0 ? html`${part}` : html`/<wbr>${part}`));
}

/** The value of an `id`, and of a link after `#`. */
export function toAnchor(...parts: (string | number)[]): string {
  return parts.join("-").replaceAll(/[^\w.-]+/g, "-");
}

export function heading(level: number, id: string | undefined, content: Html | string): Html {
  const name = new Html(`h${level}`);
  return html`<${name}${id !== undefined && html` id="${id}"`}>${content}</${name}>`;
}

/** A part of a page that is looked up. */
export function fold(id: string, title: string, content: Html): Html {
  return html`<details class="part"><summary id="${id}"><h2>${title}</h2></summary>${content}</details>`;
}

/** Copies the code beside it: script/code-panel.ts. */
export function copyButton(name: string): Html {
  return html`<button type="button" class="quiet" data-copy aria-label="Copy: ${name}">Copy</button>`;
}

/**
 * Code with a button that copies it, under its name.
 * @param wrong for JSON: the places to mark, as `body.data.0`, with what is wrong there.
 */
export function snippet(name: string, code: string, wrong?: Readonly<Record<string, string>>): Html {
  const marks = wrong && html` data-json="${JSON.stringify(wrong)}"`;
  return html`<div class="panel"><div class="panel-bar"><span class="soft">${name}</span>${copyButton(name)}</div>
    <pre tabindex="0" role="group" aria-label="${name}"><code${marks}>${code}</code></pre></div>`;
}

/** Code whose name is said beside it. */
export function codePanel(name: string, code: string): Html {
  return html`<div class="panel plain">${copyButton(name)}<pre tabindex="0" role="group" aria-label="${name}"><code>${code}</code></pre></div>`;
}

/** The response to a request that is sent: script/samples.ts. @param head of its bar. */
export function responsePanel(label: string, head: Html): Html {
  return html`<div class="panel" data-samples><div class="panel-bar">${head}${copyButton("response")}</div>
    <pre tabindex="0" role="group" aria-label="${label}"><code></code></pre></div>`;
}

/** Parts of which script/tabs.ts shows one at a time; without a script, all of them. */
export function tabs(
  kind: string,
  label: string,
  parts: readonly (readonly [name: string, part: Html])[],
  id = kind,
): Html {
  const choices = parts.map(([name]) => html`<label><input type="radio" name="${id}" value="${name}">${name}</label>`);
  return html`<div data-tabs="${kind}"><fieldset class="segments" aria-label="${label}">${choices}</fieldset>
${parts.map(([name, part]) => html`<div data-tab="${name}">${part}</div>`)}</div>`;
}

/** A table that can be scrolled sideways, by keyboard too. @param numbers the columns of numbers. */
export function table(
  { label, columns, isFixed = false }: { label: string; columns: readonly string[]; isFixed?: boolean },
  rows: readonly Html[],
  numbers: readonly number[] = [],
): Html {
  return html`<div class="scroll" role="group" tabindex="0" aria-label="${label}"><table${isFixed && html` class="fixed"`}>
    <thead><tr>${columns.map((column, index) => html`<th scope="col"${numbers.includes(index) && html` class="number"`}>${column}</th>`)}</tr></thead>
    <tbody>${rows}</tbody></table></div>`;
}
