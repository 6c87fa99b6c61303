// A whole HTML page that loads nothing: style and script are in it.
import { Html, html } from "./html.js";
import { STYLE } from "./style.js";

export interface PageParts {
  title: string;
  /** The text of the link to the main content, for keyboards. */
  skipText: string;
  header: Html;
  main: Html;
  script: string;
}

export function renderPage({ title, skipText, header, main, script }: PageParts): string {
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><link rel="icon" href="data:,"><style>${new Html(STYLE)}</style></head>
<body><a class="skip" href="#main">${skipText}</a>
<header>${header}</header>
<main id="main">${main}</main>
<script>${new Html(script)}</script></body></html>
`.text;
}
