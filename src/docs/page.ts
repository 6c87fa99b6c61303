// The shell of all pages. A page loads nothing: style, script and icon are in it, and its policy allows nothing else.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { Html, html } from "./html.js";

/** Also at /favicon.ico. */
export const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="4" fill="#0b57d0"/>' +
  '<path d="M4 8.3 6.8 11 12 5.4" fill="none" stroke="#fff" stroke-width="2"/></svg>';
export const ICON_URL = `data:image/svg+xml,${encodeURIComponent(ICON)}`;

/** The same relative paths hold in `src` and in `dist`. */
const BUILT = new URL("../../dist/", import.meta.url);
const SOURCE = new URL("../../src/", import.meta.url);

export const STYLE = readFileSync(new URL("docs/style.css", SOURCE), "utf8");

/** A script as the build has bundled it. */
export function readScript(name: "console/main" | "docs-page/docs" | "docs-page/report"): string {
  return readFileSync(new URL(`${name}.js`, BUILT), "utf8");
}

export interface ProtectedPage {
  text: string;
  /** The value of Content-Security-Policy. */
  policy: string;
}

export interface PageParts {
  title: string;
  /** The text of the link to the main content, for keyboards. */
  skipText: string;
  header: Html;
  /** Beside the content, or above it on a narrow screen. */
  navigation?: Html;
  main: Html;
  script?: string;
}

export function renderPage({ title, skipText, header, navigation, main, script }: PageParts): string {
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><link rel="icon" href="${ICON_URL}"><style>${new Html(STYLE)}</style></head>
<body><a class="skip" href="#main">${skipText}</a>
<header>${header}</header>${navigation && html`<nav class="side" aria-label="Contents">${navigation}</nav>`}
<main id="main">${main}</main>
${script !== undefined && html`<script>${new Html(script)}</script>`}</body></html>
`.text;
}

const SOURCES =
  "default-src 'none'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export function toPolicy({ style, script }: { style: string; script?: string }): string {
  return `${SOURCES}; style-src '${digestOf(style)}'${script === undefined ? "" : `; script-src '${digestOf(script)}'`}`;
}

function digestOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
