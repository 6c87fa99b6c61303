// The facts of the source document, clause by clause, from docs/source-document.md: the targets of every § link.
import { type Html, heading, html, inline, toAnchor } from "./html.js";
import { readSource } from "./page-frame.js";

const SECTIONS = readSource("../docs/source-document.md")
  .split(/^## /m)
  .slice(1)
  .map((section) => {
    const [title = "", ...rest] = section.split("\n");
    const clauses = rest.join(" ").matchAll(/ - \*\*(§[\d.]+)\*\* (.*?)(?= - \*\*§|$)/g);
    return { title, clauses: [...clauses].map(([, id = "", text = ""]) => ({ id, text: text.trim() })) };
  });

const CLAUSES = new Map(SECTIONS.flatMap(({ clauses }) => clauses).map(({ id, text }) => [id, text]));

/** The first sentence of each clause: `{ "§4.2": "GET /v1/notifications lists notifications." }`. */
export const CLAUSE_TITLES: Readonly<Record<string, string>> = Object.fromEntries(
  [...CLAUSES].map(([id, text]) => [id, text.replace(/\. .*/, ".").replaceAll("`", "")]),
);

/** The first sentence of a clause; empty for a clause that the document does not have. */
export function findClauseTitle(clause: string): string {
  return CLAUSE_TITLES[clauseIdOf(clause)] ?? "";
}

/** What a clause says after its first sentence. */
export function findClauseDetails(clause: string): string {
  return /\. (.*)/.exec(CLAUSES.get(clauseIdOf(clause)) ?? "")?.[1] ?? "";
}

/** `clause-4.2`, of a clause or of one of its rows. */
export function clauseAnchorOf(clause: string): string {
  return `clause-${clauseIdOf(clause).slice(1)}`;
}

/** `§4.2`, of a clause or of one of its rows. */
export function clauseIdOf(clause: string): string {
  return clause.split(" ")[0] ?? "";
}

export function renderSourceDocument(): Html {
  const content = SECTIONS.map(
    ({ title, clauses }) => html`${heading(3, toAnchor("section", title), title)}
<dl class="clauses">${clauses.map(({ id, text }) => html`<div id="${clauseAnchorOf(id)}"><dt>${id}</dt><dd>${inline(text)}</dd></div>`)}</dl>`,
  );
  return html`<p>Every rule of the contract cites a clause of one document, or a decision where that document is silent. These are its clauses in
our own words. “Open” marks what a clause leaves to a decision.</p>${content}`;
}
