// A whole HTML page that loads nothing: style and script are in it.
import { Html, html } from "./html.js";
import { ICON_URL } from "./icon.js";
import { STYLE } from "./style.js";

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
