// Renders the guides that the docs page has, dist/pages/guides.json, and fails on a dead link or picture.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { Marked, type Tokens } from "marked";
import type { Guide } from "../pages/docs/docs-page.js";
import { codePanel, Html, html } from "../pages/docs/html.js";

/** In the order of the contents: files of `docs/`, without `.md`. */
const GUIDES = ["quickstart", "front-end", "operations"];
/** Documents that a page of the server shows. */
const SERVED: Readonly<Record<string, string>> = {
  ...Object.fromEntries(GUIDES.map((name) => [`docs/${name}.md`, `/docs/${name}`])),
  "docs/source-document.md": "/docs#source-document",
};

const ROOT = new URL("../../", import.meta.url);
const dead: string[] = [];
const guides = GUIDES.map(renderGuide);
if (dead.length > 0) {
  console.error(dead.join("\n"));
  process.exitCode = 1;
} else writeFileSync(new URL("dist/pages/guides.json", ROOT), JSON.stringify(guides));

function renderGuide(name: string): Guide {
  const path = `docs/${name}.md`;
  const headings: { id: string; title: string }[] = [];
  let section = "";
  const renderer = {
    heading({ tokens, depth, text }: Tokens.Heading): string {
      section = text.replaceAll("`", "");
      if (depth > 1) headings.push({ id: anchorOf(text), title: section });
      const id = depth > 1 && html` id="${anchorOf(text)}"`;
      return html`<${new Html(`h${depth}`)}${id}>${inline(tokens)}</${new Html(`h${depth}`)}>`.text;
    },
    code: ({ text, lang = "" }: Tokens.Code) => codePanel(`${section}${lang && `: ${lang}`}`, text).text,
    table({ header, rows }: Tokens.Table): string {
      const cells = (row: readonly Tokens.TableCell[]) => row.map(({ tokens }) => html`<td>${inline(tokens)}</td>`);
      const head = header.map(({ tokens }) => html`<th scope="col">${inline(tokens)}</th>`);
      return html`<div class="scroll" role="group" tabindex="0" aria-label="${section}"><table><thead><tr>${head}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${cells(row)}</tr>`)}</tbody></table></div>`.text;
    },
    link: ({ href, tokens }: Tokens.Link) => renderLink(path, href, inline(tokens)).text,
    image({ href, text }: Tokens.Image): string {
      if (!existsSync(new URL(href, new URL(path, ROOT)))) dead.push(`${path}: there is no picture ${href}`);
      return html`<img src="${href}" alt="${text}">`.text; // docs-page.ts puts the picture there
    },
    html: ({ text }: Tokens.HTML | Tokens.Tag) => html`${text}`.text,
  };
  const marked: Marked = new Marked({ renderer });
  const inline = (tokens: Tokens.Generic[]): Html =>
    new Html(marked.Parser.parseInline(tokens as never, marked.defaults));
  const text = readText(path);
  const [, title = ""] = /^# (.+)$/m.exec(text) ?? [];
  return { name, title, headings, html: marked.parse(text, { async: false }) };
}

/** A document that no page shows is named, for who has the repository or the package. */
function renderLink(from: string, href: string, content: Html): Html {
  if (/^https?:/.test(href)) return html`<a href="${href}">${content}</a>`;
  const url = new URL(href, new URL(from, ROOT));
  const file = url.pathname.slice(ROOT.pathname.length);
  const anchor = decodeURIComponent(url.hash.slice(1));
  const isThere = existsSync(new URL(file, ROOT)) && (anchor === "" || anchorsOf(file).includes(anchor));
  if (!isThere) dead.push(`${from}: the link to ${href} leads nowhere`);
  const page = SERVED[file];
  if (page === undefined) return html`${content} (<code>${file}</code>)`;
  return html`<a href="${page}${url.hash !== "" && !page.includes("#") && url.hash}">${content}</a>`;
}

function anchorsOf(file: string): string[] {
  const text = readText(file).replaceAll(/^```[\s\S]*?^```$/gm, "");
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => anchorOf(heading));
}

/** As GitHub makes it. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}

function readText(file: string): string {
  return readFileSync(new URL(file, ROOT), "utf8");
}
