// The frame of all pages: the bar at the top, and the style. A page contains its style, script and icon; its policy
// allows no others.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { Html, html } from "./html.js";

export const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" width="20" height="20" aria-hidden="true"><rect width="16" height="16" rx="4" fill="#2453d3"/>' +
  '<path d="M4 8.3 6.8 11 12 5.4" fill="none" stroke="#fff" stroke-width="2"/></svg>';
const ICON_URL = `data:image/svg+xml,${encodeURIComponent(ICON)}`;

/** The same relative paths hold in `src` and in `dist`. */
const BUILT = new URL("../../../dist/", import.meta.url);
export const SOURCE = new URL("../../../src/", import.meta.url);

export const readSource = (path: string) => readFileSync(new URL(path, SOURCE), "utf8");
export const readBuilt = (path: string) => readFileSync(new URL(path, BUILT), "utf8");

const STYLE = readSource("pages/docs/style.css");

export interface ProtectedPage {
  text: string;
  /** The value of Content-Security-Policy. */
  policy: string;
}

export interface PageParts {
  title: string;
  /** A report is a file; the other pages link to each other. */
  kind: "home" | "console" | "docs" | "report" | "error";
  hasConsole?: boolean;
  /** The right end of the bar: the contract's version, and controls of this page. */
  aside?: Html;
  /** Everything between bar and script; contains `<main id="main">`. */
  body: Html;
}

const SITE = [
  ["console", "/console", "Console"],
  ["docs", "/docs", "Docs"],
] as const;

/** In the console, `/` enters the filter of the view. */
const buildSearch = (isConsole: boolean) =>
  html`<button type="button" class="quiet" data-palette aria-keyshortcuts="${!isConsole && "/ "}Control+K Meta+K"><span>Search</span> <kbd>Ctrl K</kbd></button>`;

export function renderPage({ title, kind, hasConsole = false, aside, body }: PageParts): ProtectedPage {
  const isConsole = kind === "console";
  const style = isConsole ? STYLE + readSource("pages/console/console.css") : STYLE;
  const script = readBuilt(isConsole ? "pages/console/main.js" : "pages/script/page.js");
  const links = SITE.filter(([name]) => name !== "console" || hasConsole).map(
    ([name, href, text]) => html`<li><a href="${href}"${name === kind && html` aria-current="page"`}>${text}</a></li>`,
  );
  const brand = html`${new Html(ICON)} <span>notifications-contract</span>`;
  const { text } = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><link rel="icon" href="${ICON_URL}"><style>${new Html(style)}</style></head>
<body class="${kind}"><a class="skip" href="#main">Skip to content</a>
<header class="top">${kind === "report" ? html`<span class="brand">${brand}</span>` : html`<a class="brand" href="/" aria-label="notifications-contract, home"${kind === "home" && html` aria-current="page"`}>${brand}</a><nav aria-label="Pages"><ul>${links}</ul></nav>`}
<div class="aside">${kind !== "report" && buildSearch(isConsole)}${aside}</div></header>
${body}
<script>${new Html(script)}</script></body></html>
`;
  return { text, policy: `${SOURCES}; style-src ${digestOf(style)}; script-src ${digestOf(script)}` };
}

/** The name of the contract and its version, for the bar. */
export function renderVersion({ title, version }: { title: string; version: string }, kind = "contract"): Html {
  return html`<span class="version soft small" title="${title}">${kind} ${version}</span>`;
}

const SOURCES =
  "default-src 'none'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

function digestOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
