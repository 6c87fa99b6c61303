// A schema as HTML: its members with type, constraints and description, as a tree that can be collapsed.
import { type OpenApiDocument, resolve, type SchemaObject } from "../../contract/openapi-document.js";
import { PHRASED_KEYWORDS, toConstraintPhrase } from "./constraint-phrase.js";
import { type Html, html, prose, toAnchor } from "./html.js";
import { toClauseLink } from "./source-document.js";

/** The type in a line: `string`, `list of Channel`. */
export function toType(schema: SchemaObject): Html {
  if (schema.$ref) {
    const name = toName(schema.$ref);
    return html`<a href="#${toAnchor("schema", name)}">${name}</a>`;
  }
  if (schema.allOf) {
    const references = schema.allOf.filter(({ $ref }) => $ref);
    return html`${references.map((part, index) => html`${index > 0 && " and "}${toType(part)}`)}`;
  }
  if (schema.items) return html`list of ${toType(schema.items)}`;
  const branches = branchesOf(schema);
  if (branches) return html`${branches.map((branch, index) => html`${index > 0 && " or "}${toType(branch)}`)}`;
  const { additionalProperties: values } = schema;
  if (typeof values === "object" && !schema.properties) return html`map of ${toType(values as SchemaObject)}`;
  return html`${[schema.type ?? "anything"].flat().join(" or ")}`;
}

function toName(reference: string): string {
  return reference.slice(reference.lastIndexOf("/") + 1);
}

const CONSTRAINTS = PHRASED_KEYWORDS.filter((keyword) => keyword !== "type");

/** `at least 1; at most 50; 10 by default`. */
export function toConstraints(schema: SchemaObject): string {
  const isShown = (keyword: string) =>
    schema[keyword] !== undefined && (keyword !== "pattern" || schema.format === undefined); // the format reads better
  const phrases = CONSTRAINTS.filter(isShown).map((keyword) => toConstraintPhrase(keyword, schema[keyword]));
  const ofItems = schema.items && !schema.items.$ref ? toConstraints(schema.items) : "";
  return [...phrases, ofItems && `each ${ofItems}`].filter(Boolean).join("; ");
}

interface Member {
  id?: string | undefined;
  name: string;
  isRequired: boolean;
  /** Its location: `query`, `header`. */
  note?: string;
  schema: SchemaObject;
  /** The object with its description and its sources. */
  place: object;
  /** Its members, rendered. */
  nested?: Html | undefined;
}

export function renderMember({ id, name, isRequired, note, schema, place, nested }: Member): Html {
  const constraints = toConstraints(schema);
  return html`<div class="member"${id !== undefined && html` id="${id}"`}><p><code>${name}</code> <span class="soft">${note !== undefined && `${note}, `}${toType(schema)}</span>${isRequired && html` <span class="required">required</span>`}</p>${constraints !== "" && html`<p class="soft">${constraints}</p>`}${renderDescription(place)}${renderBasis(place)}${nested && html`<details class="plain"><summary>Members of <code>${name}</code></summary>${nested}</details>`}</div>`;
}

/** @param id of the schema, for links to its members. */
export function renderMembers(document: OpenApiDocument, schema: SchemaObject, id?: string): Html | undefined {
  const { properties = {}, required } = schema;
  if (Object.keys(properties).length === 0) return undefined;
  const isRequired = (name: string) => Array.isArray(required) && required.includes(name);
  const sorted = Object.entries(properties).toSorted(([a], [b]) => Number(isRequired(b)) - Number(isRequired(a)));
  return html`<div class="members">${sorted.map(([name, member]) =>
    renderMember({
      id: id && toAnchor(id, name),
      name,
      isRequired: isRequired(name),
      schema: member,
      place: member,
      nested: renderNested(document, member),
    }),
  )}</div>`;
}

/** The members of a value, or of the items of a list. script/page.ts copies those of a named schema from its section. */
export function renderNested(document: OpenApiDocument, schema: SchemaObject): Html | undefined {
  if (schema.items) return renderNested(document, schema.items);
  const branches = branchesOf(schema);
  if (branches) return renderBranches(document, branches);
  const { additionalProperties: values } = schema;
  if (typeof values === "object" && !schema.properties) return renderNested(document, values as SchemaObject);
  const reference = schema.$ref ?? schema.allOf?.find(({ $ref }) => $ref)?.$ref;
  if (reference === undefined) return renderMembers(document, schema);
  const { properties } = resolve<SchemaObject>(document, { $ref: reference });
  return properties && html`<div data-from="${toAnchor("schema", toName(reference))}"></div>`;
}

function branchesOf({ oneOf, anyOf }: SchemaObject): readonly SchemaObject[] | undefined {
  const branches = oneOf ?? anyOf;
  return Array.isArray(branches) ? branches : undefined;
}

/** Each alternative, opened in place. */
function renderBranches(document: OpenApiDocument, branches: readonly SchemaObject[]): Html {
  const items = branches.map((branch) => {
    const constraints = branch.$ref ? "" : toConstraints(branch);
    return html`<li>${toType(branch)}${constraints !== "" && html` <span class="soft">${constraints}</span>`}${renderNested(document, branch)}</li>`;
  });
  return html`<p class="soft">One of:</p><ul class="branches">${items}</ul>`;
}

/** The clauses and decisions behind a place. script/page.ts copies the texts of the decisions into it. */
export function renderBasis(place: {
  "x-source"?: string | string[];
  "x-decision"?: string | string[];
}): Html | undefined {
  const clauses = [place["x-source"] ?? []].flat();
  const anchors = [place["x-decision"] ?? []].flat().map((id) => ({ id, anchor: toAnchor("decision", id) }));
  const links = clauses.map((id) => html`${toClauseLink(id)} `);
  if (anchors.length === 0) return links.length === 0 ? undefined : html`<p class="basis">${links}</p>`;
  return html`<details class="basis"><summary>${clauses.join(" ")} why?</summary><div class="why">${links.length > 0 && html`<p>${links}</p>`}${anchors.map(({ id, anchor }) => html`<div data-from="${anchor}"><a href="#${anchor}">${id}</a></div>`)}</div></details>`;
}

export function renderDescription(place: object): Html[] {
  return prose((place as { description?: string }).description);
}
