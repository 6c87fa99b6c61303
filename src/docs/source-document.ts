// The facts of the source document, clause by clause, as docs/source-document.md has them: what each § links to.

import { type Html, heading, html, inline, toAnchor } from "./html.js";
import { readSource } from "./page.js";

/** `§4.2`; a row of a clause (`§4.2 limit`) leads to its clause. */
export function toClauseLink(clause: string): Html {
  return html`<a href="#${toClauseAnchor(clause)}">${clause}</a>`;
}

/** `clause-4.2`, of a clause or of one of its rows. */
function toClauseAnchor(clause: string): string {
  return `clause-${clause.split(" ")[0]?.slice(1)}`;
}

export function renderSourceDocument(level: number): Html {
  const [, ...sections] = readSource("../docs/source-document.md").split(/^## /m);
  const content = sections.map((section) => {
    const [title = "", ...rest] = section.split("\n");
    const clauses = rest
      .join(" ")
      .split(/ - \*\*(§[\d.]+)\*\* /)
      .slice(1);
    const pairs = clauses.flatMap((id, index) => (index % 2 === 0 ? [[id, clauses[index + 1] ?? ""] as const] : []));
    return html`${heading(level + 1, toAnchor("section", title), title)}
<dl class="clauses">${pairs.map(([id, text]) => html`<div id="${toClauseAnchor(id)}"><dt>${id}</dt><dd>${inline(text.trim())}</dd></div>`)}</dl>`;
  });
  return html`<section>${heading(level, "source-document", "Source document")}
<p>Each rule of the contract rests on a clause of one document, or on a decision where the document is silent. These are its facts in
our own words. “Open” is what it leaves unsaid.</p>${content}</section>`;
}
