// How a request proves who sends it: the schemes of an operation, where each key goes, and its scopes.

import type { Operation } from "../../contract/model.js";
import type { OpenApiDocument } from "../../contract/openapi-document.js";
import { type Html, html } from "./html.js";

interface Scheme {
  type?: string;
  scheme?: string;
  in?: string;
  name?: string;
}

/** Alternatives are joined by "or"; an empty one means that no key is needed. */
export function renderSecurity(document: OpenApiDocument, { path, method }: Operation): Html {
  const alternatives = document.paths[path]?.[method]?.security ?? document.security ?? [];
  if (alternatives.length === 0) return html`<p class="soft">Open: it needs no key.</p>`;
  const schemes = (document.components?.securitySchemes ?? {}) as Record<string, Scheme>;
  const texts = alternatives.map((needed) => {
    const parts = Object.entries(needed).map(([name, scopes]) => renderScheme(name, schemes[name] ?? {}, scopes));
    return parts.length === 0
      ? html`no key`
      : html`${parts.map((part, index) => html`${index > 0 && " and "}${part}`)}`;
  });
  return html`<p class="soft">Key: ${texts.map((text, index) => html`${index > 0 && ", or "}${text}`)}.</p>`;
}

function renderScheme(
  name: string,
  { type, scheme = "", in: place, name: key = name }: Scheme,
  scopes: readonly string[],
): Html {
  const scopeList =
    scopes.length > 0 &&
    html`, with the scope${scopes.length > 1 && "s"} ${scopes.map((scope) => html`<code>${scope}</code> `)}`;
  if (type === "apiKey") return html`<code>${key}</code> in the ${place ?? "header"} (${name})${scopeList}`;
  if (type === "mutualTLS") return html`a client certificate (${name})${scopeList}`;
  const word = type === "http" ? scheme.replace(/^./, (first) => first.toUpperCase()) : "Bearer";
  return html`<code>Authorization: ${word} &lt;${word === "Basic" ? "credentials" : "token"}&gt;</code> (${name})${scopeList}`;
}
