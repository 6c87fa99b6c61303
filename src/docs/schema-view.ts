// A schema for people: a table of members with type, constraints and description.
import { type OpenApiDocument, resolve, type SchemaObject } from "../contract/openapi-document.js";
import { PHRASED_KEYWORDS, toConstraintPhrase } from "./constraint-phrase.js";
import { type Html, html, inline, prose, table, toAnchor } from "./html.js";

/** The type in a line: `string`, `list of Channel`. */
export function toType(schema: SchemaObject): Html {
  if (schema.$ref) {
    const name = schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1);
    return html`<a href="#${toAnchor("schema", name)}">${name}</a>`;
  }
  if (schema.allOf) {
    const references = schema.allOf.filter((part) => part.$ref);
    return html`${references.map((part, index) => html`${index > 0 && " and "}${toType(part)}`)}`;
  }
  if (schema.items) return html`list of ${toType(schema.items)}`;
  return html`${[schema.type ?? "anything"].flat().join(" or ")}`;
}

const CONSTRAINTS = PHRASED_KEYWORDS.filter((keyword) => keyword !== "type");

/** `at least 1; at most 50; 10 by default`. */
export function toConstraints(schema: SchemaObject): string {
  const keywords = CONSTRAINTS.filter((keyword) => schema[keyword] !== undefined);
  const phrases = keywords
    .filter((keyword) => keyword !== "pattern" || schema.format === undefined) // it says the same, less readably
    .map((keyword) => toConstraintPhrase(keyword, schema[keyword]));
  const ofItems = schema.items && !schema.items.$ref ? toConstraints(schema.items) : "";
  return [...phrases, ...(ofItems ? [`each ${ofItems}`] : [])].join("; ");
}

/** @param name of the schema, for links to its members. */
export function renderSchema(document: OpenApiDocument, name: string, schema: SchemaObject): Html {
  const { properties, required, additionalProperties } = resolve<SchemaObject>(document, schema);
  const members = Object.entries(properties ?? {});
  if (members.length === 0) return html`<p>${toType(schema)}. ${toConstraints(schema)}</p>`;
  const caption = additionalProperties === false ? "No other members." : "Other members are possible.";
  const isRequired = (key: string) => Array.isArray(required) && required.includes(key);
  return table(
    { label: "Members", caption, columns: ["Member", "Type", "Description"] },
    members.map(
      ([key, member]) => html`<tr id="${toAnchor("schema", name, key)}">
        <th scope="row"><code>${key}</code>${isRequired(key) && html`<br><span class="soft">always present</span>`}</th>
        <td>${toType(member)}<br><span class="soft">${toConstraints(member)}</span></td>
        <td>${inline(String(member.description ?? ""))} ${renderBasis(member)}</td></tr>`,
    ),
  );
}

/** The clauses and decisions behind a place. */
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
