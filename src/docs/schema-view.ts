// A schema for people: a table of members with their type, rules and meaning.
import { type OpenApiDocument, resolve, type SchemaObject } from "../contract/openapi-document.js";
import { type Html, html, inline, prose, toAnchor } from "./html.js";

/** What a value has to be, in a line: `text`, `list of Channel`, `one of a, b`. */
export function toType(schema: SchemaObject): Html {
  if (schema.$ref) {
    const name = schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1);
    return html`<a href="#${toAnchor("schema", name)}">${name}</a>`;
  }
  if (schema.allOf) {
    const named = schema.allOf.filter((part) => part.$ref);
    return html`${named.map((part, index) => html`${index > 0 && " and "}${toType(part)}`)}`;
  }
  if (schema.items) return html`list of ${toType(schema.items)}`;
  return html`${[schema.type ?? "anything"].flat().join(" or ")}`;
}

const RULES: readonly [keyword: string, words: (value: string) => string][] = [
  ["const", (value) => `always ${value}`],
  ["enum", (value) => `one of ${value}`],
  ["format", (value) => `format ${value}`],
  ["pattern", (value) => `matches ${value}`],
  ["minimum", (value) => `at least ${value}`],
  ["maximum", (value) => `at most ${value}`],
  ["minLength", (value) => (value === "1" ? "not empty" : `at least ${value} characters`)],
  ["maxLength", (value) => `at most ${value} characters`],
  ["minItems", (value) => `at least ${value} items`],
  ["maxItems", (value) => `at most ${value} items`],
  ["minProperties", (value) => `at least ${value} members`],
  ["default", (value) => `${value} when left out`],
];

export function toRules(schema: SchemaObject): string {
  const own = RULES.filter(([keyword]) => schema[keyword] !== undefined).map(([keyword, words]) =>
    words([schema[keyword]].flat().map(String).join(", ")),
  );
  const ofItems = schema.items && !schema.items.$ref ? toRules(schema.items) : "";
  return [...own, ...(ofItems ? [`each ${ofItems}`] : [])].join("; ");
}

/** All that a named schema says. */
export function renderSchema(document: OpenApiDocument, schema: SchemaObject): Html {
  const {
    properties,
    required = [],
    additionalProperties,
  } = resolve(document, schema) as SchemaObject & {
    required?: string[];
  };
  const names = Object.entries(properties ?? {});
  if (names.length === 0) return html`<p>${toType(schema)}. ${toRules(schema)}</p>`;
  const others = additionalProperties === false ? "No other members." : "Other members may follow.";
  return html`<div class="scroll" role="group" tabindex="0" aria-label="Members"><table>
    <caption>${others}</caption>
    <thead><tr><th scope="col">Member</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
    <tbody>${names.map(
      ([name, member]) => html`<tr>
        <th scope="row"><code>${name}</code>${required.includes(name) ? html`<br><span class="soft">always there</span>` : ""}</th>
        <td>${toType(member)}<br><span class="soft">${toRules(member)}</span></td>
        <td>${inline(String(member.description ?? ""))} ${renderBasis(member)}</td></tr>`,
    )}</tbody></table></div>`;
}

/** The clauses and decisions that a place rests on. */
export function renderBasis(place: { "x-source"?: string | string[]; "x-decision"?: string | string[] }): Html {
  const clauses = [place["x-source"] ?? []].flat().map((id) => html`<span class="soft">${id}</span> `);
  const decisions = [place["x-decision"] ?? []]
    .flat()
    .map((id) => html`<a href="#${toAnchor("decision", id)}">${id}</a> `);
  return html`${clauses}${decisions}`;
}

export function renderDescription(place: object): Html[] {
  return prose((place as { description?: string }).description);
}
