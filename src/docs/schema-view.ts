// A schema for people: its members with type, constraints and description, as a tree that can be collapsed.
import { type OpenApiDocument, resolve, type SchemaObject } from "../contract/openapi-document.js";
import { PHRASED_KEYWORDS, toConstraintPhrase } from "./constraint-phrase.js";
import { type Html, html, inline, prose, toAnchor } from "./html.js";
import { toClauseLink } from "./source-document.js";

/** The type in a line: `string`, `list of Channel`. */
export function toType(schema: SchemaObject): Html {
  if (schema.$ref) {
    const name = toName(schema.$ref);
    return html`<a href="#${toAnchor("schema", name)}">${name}</a>`;
  }
  if (schema.allOf) {
    const references = schema.allOf.filter((part) => part.$ref);
    return html`${references.map((part, index) => html`${index > 0 && " and "}${toType(part)}`)}`;
  }
  if (schema.items) return html`list of ${toType(schema.items)}`;
  return html`${[schema.type ?? "anything"].flat().join(" or ")}`;
}

function toName(reference: string): string {
  return reference.slice(reference.lastIndexOf("/") + 1);
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

interface Member {
  id?: string;
  name: string;
  isRequired: boolean;
  /** Where it is: `query`, `header`. */
  note?: string;
  schema: SchemaObject;
  description: Html | readonly Html[];
  basis: Basis;
  /** The members of its own. */
  nested?: Html | undefined;
}

type Basis = { "x-source"?: string | string[]; "x-decision"?: string | string[] };

export function renderMember({ id, name, isRequired, note, schema, description, basis, nested }: Member): Html {
  const constraints = toConstraints(schema);
  return html`<div class="member"${id !== undefined && html` id="${id}"`}>
    <p><code>${name}</code> <span class="soft">${note !== undefined && `${note}, `}${toType(schema)}</span>${isRequired && html` <span class="required">required</span>`}</p>
    ${constraints !== "" && html`<p class="soft">${constraints}</p>`}${description}${renderBasis(basis)}${nested}</div>`;
}

/** @param name of the schema, for links to its members. */
export function renderSchema(document: OpenApiDocument, name: string, schema: SchemaObject): Html {
  const { properties, required, additionalProperties } = resolve<SchemaObject>(document, schema);
  if (Object.keys(properties ?? {}).length === 0) return html`<p>${toType(schema)}. ${toConstraints(schema)}</p>`;
  return html`<p class="soft">${additionalProperties === false ? "No other members." : "Other members are possible."}</p>
    <div class="members">${toMembers(properties, required).map(([key, member, isRequired]) =>
      renderMember({
        ...{ id: toAnchor("schema", name, key), name: key, isRequired, schema: member, basis: member },
        description: html`<p>${inline(String(member.description ?? ""))}</p>`,
      }),
    )}</div>`;
}

/** Members and those of their own, collapsed. A schema within itself is a link. */
export function renderTree(
  document: OpenApiDocument,
  schema: SchemaObject,
  within: readonly string[] = [],
): Html | undefined {
  const { name, properties, required } = toObject(document, schema);
  if (!properties || (name !== undefined && within.includes(name))) return undefined;
  const deeper = name === undefined ? within : [...within, name];
  return html`<div class="members">${toMembers(properties, required).map(([key, member, isRequired]) => {
    const tree = renderTree(document, member, deeper);
    const nested =
      tree && html`<details class="plain"><summary>Members of <code>${key}</code></summary>${tree}</details>`;
    const description = html`<p>${inline(String(member.description ?? ""))}</p>`;
    return renderMember({ name: key, isRequired, schema: member, description, basis: {}, nested });
  })}</div>`;
}

/** The object that a schema describes, or that the items of a list are. */
function toObject(document: OpenApiDocument, schema: SchemaObject): SchemaObject & { name?: string } {
  if (schema.items) return toObject(document, schema.items);
  const reference = schema.$ref ?? schema.allOf?.find(({ $ref }) => $ref)?.$ref;
  if (reference === undefined) return schema;
  return { ...resolve<SchemaObject>(document, { $ref: reference }), name: toName(reference) };
}

/** Required ones first. */
function toMembers(properties: SchemaObject["properties"] = {}, required: readonly string[] = []) {
  const isRequired = (name: string) => Array.isArray(required) && required.includes(name);
  return Object.entries(properties)
    .map(([name, member]) => [name, member, isRequired(name)] as const)
    .toSorted(([, , a], [, , b]) => Number(b) - Number(a));
}

/** The clauses and decisions behind a place. A script shows the decisions' questions and answers in it. */
export function renderBasis(place: Basis): Html | undefined {
  const [clauses, decisions] = [[place["x-source"] ?? []].flat(), [place["x-decision"] ?? []].flat()];
  if (clauses.length + decisions.length === 0) return undefined;
  const links = clauses.map((id) => html`${toClauseLink(id)} `);
  if (decisions.length === 0) return html`<p class="basis">${links}</p>`;
  return html`<details class="basis"><summary>${clauses.join(" ")} why?</summary><p>${links}</p>
    ${decisions.map((id) => html`<p data-decision="${toAnchor("decision", id)}"><a href="#${toAnchor("decision", id)}">${id}</a></p>`)}</details>`;
}

export function renderDescription(place: object): Html[] {
  return prose((place as { description?: string }).description);
}
