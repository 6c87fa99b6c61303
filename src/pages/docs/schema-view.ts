// A schema as HTML: its members with type, constraints and description. A type that has a name is a link to it.
import { toList } from "../../contract/lists.js";
import type { Schema } from "../../contract/schema.js";
import { Html, html, inline, prose, toAnchor } from "./html.js";
import { clauseAnchorOf } from "./source-document.js";

/** The type in a line: `string`, `list of Channel`, `map of integer`. */
export function buildType(schema: Schema): Html {
  const name = componentOf(schema);
  if (name !== undefined) return html`<a href="#${toAnchor("schema", name)}">${name}</a>`;
  const { allOf = [], items, type } = nodeOf(schema);
  const parts = (allOf as object[]).map((part) => schema.of(part)).filter((part) => componentOf(part) !== undefined);
  if (parts.length > 0) return joinTypes(parts, " and ");
  if (items) return html`list of ${buildType(schema.items)}`;
  const branches = branchesOf(schema);
  if (branches.length > 0 && schema.members.size === 0) return joinTypes(branches, " or ");
  const values = schemaOfValues(schema);
  if (values) return html`map of ${buildType(values)}`;
  const ofConstants = "enum" in schema.flat || "const" in schema.flat ? schema.types : "anything";
  return html`${toList(type ?? ofConstants).join(" or ")}`;
}

/** Each type once: `string`, of values and of whatever string there may be. */
function joinTypes(schemas: readonly Schema[], word: string): Html {
  const types = [...new Set(schemas.map((schema) => buildType(schema).text))];
  return html`${types.map((text, index) => html`${index > 0 && word}${new Html(text)}`)}`;
}

/** The schema as it is written, before references are followed. */
function nodeOf({ node }: Schema): Record<string, unknown> {
  return typeof node === "object" ? (node as Record<string, unknown>) : {};
}

/** The name of the component that a schema refers to. */
function componentOf(schema: Schema): string | undefined {
  const { $ref } = nodeOf(schema);
  return typeof $ref === "string" && $ref.startsWith("#/components/schemas/")
    ? $ref.slice($ref.lastIndexOf("/") + 1)
    : undefined;
}

/** Its alternatives as they are written, without those that only ask for members. */
function branchesOf(schema: Schema): readonly Schema[] {
  return describeRequired(schema) === "" ? alternativesOf(schema) : [];
}

function alternativesOf(schema: Schema): readonly Schema[] {
  const { oneOf, anyOf } = schema.flat;
  const branches = oneOf ?? anyOf;
  return Array.isArray(branches) ? branches.map((branch) => schema.of(branch)) : [];
}

/** `at least one of a, b and c` of `anyOf: [{ required: [a] }, { required: [b, c] }]`. */
function describeRequired(schema: Schema): string {
  const branches = alternativesOf(schema).map(nodeOf);
  const asksOnly = ({ type = "object", required, ...keywords }: Record<string, unknown>) =>
    type === "object" && required !== undefined && Object.keys(keywords).length === 0;
  if (branches.length === 0 || !branches.every(asksOnly)) return "";
  const names = branches.map(({ required }) =>
    toList(required)
      .map((name) => `\`${name}\``)
      .join(" and "),
  );
  return `${schema.flat.oneOf ? "exactly" : "at least"} one of ${names.join(", ")}`;
}

/** The schema of the values of a map. */
function schemaOfValues(schema: Schema): Schema | undefined {
  const { additionalProperties: values, properties } = schema.flat;
  return typeof values === "object" && values !== null && !properties ? schema.of(values) : undefined;
}

/** `at least 1; at most 50; 10 by default`. @param name of the place, which may have a unit: `delayMs`. */
export function describeConstraints(schema: Schema, name = ""): string {
  const { flat } = schema;
  const isShown = (keyword: string) =>
    flat[keyword] !== undefined && (keyword !== "pattern" || flat.format === undefined); // the format reads better
  const phrases = CONSTRAINTS.filter(isShown).map((keyword) =>
    describeConstraint(keyword, flat[keyword], unitOf(name)),
  );
  const ofItems = flat.items && componentOf(schema.items) === undefined ? describeConstraints(schema.items) : "";
  return [...phrases, ofItems && `each ${ofItems}`, describeRequired(schema)].filter(Boolean).join("; ");
}

/** The constraints that are not written at a named schema. */
function describeUnnamed(schema: Schema, name?: string): string {
  return componentOf(schema) === undefined ? describeConstraints(schema, name) : "";
}

interface Member {
  id?: string | undefined;
  name: string;
  isRequired: boolean;
  isDeprecated?: boolean;
  /** Its location: `query`, `header`. */
  note?: string;
  schema: Schema | undefined;
  description?: string | undefined;
  provenance: Provenance;
  /** Its members, rendered. */
  nested?: Html | undefined;
}

export function renderMember(member: Member): Html {
  const { id, name, isRequired, note, schema, description, provenance, nested } = member;
  const constraints = schema === undefined ? "" : describeUnnamed(schema, name);
  const type = schema === undefined ? html`anything` : buildType(schema);
  return html`<div class="member"${id !== undefined && html` id="${id}"`}><p><code>${name}</code> <span class="soft">${note !== undefined && `${note}, `}${type}${constraints !== "" && html` · ${inline(constraints)}`}</span>${isRequired && html` <span class="required">required</span>`}${member.isDeprecated && html` <span class="tag warn">deprecated</span>`} ${renderWhy(provenance)}</p>${prose(description)}${nested}</div>`;
}

/** Its members, then its alternatives. @param id of the schema, for links to its members. */
export function renderMembers(schema: Schema, id?: string): Html | undefined {
  if (schema.members.size === 0) return undefined;
  const isRequired = (name: string) => schema.required.includes(name);
  const branches = branchesOf(schema);
  const sorted = [...schema.members].toSorted(([a], [b]) => Number(isRequired(b)) - Number(isRequired(a)));
  return html`<div class="members">${sorted.map(([name, member]) =>
    renderMember({
      id: id && toAnchor(id, name),
      name,
      isRequired: isRequired(name),
      schema: member,
      description: descriptionOf(member),
      provenance: nodeOf(member),
      nested: renderNested(member),
    }),
  )}</div>${branches.length > 0 && renderBranches(branches)}`;
}

const FEW = 6;

function isSmall({ members }: Schema): boolean {
  const isSimple = ({ types }: Schema) => !types.includes("object") && !types.includes("array");
  return members.size > 0 && members.size <= FEW && [...members.values()].every(isSimple);
}

/** The members of a value, or of the items of a list. Those of a type that has a name are with it, unless they are few. */
export function renderNested(schema: Schema): Html | undefined {
  const { allOf = [], items } = nodeOf(schema);
  if (items) return renderNested(schema.items);
  const isNamed = [schema, ...(allOf as object[]).map((part) => schema.of(part))].some(
    (one) => componentOf(one) !== undefined,
  );
  if (isNamed) return isSmall(schema) ? renderMembers(schema) : undefined;
  const branches = branchesOf(schema);
  if (branches.length > 0 && schema.members.size === 0) return renderBranches(branches);
  const values = schemaOfValues(schema);
  return values ? renderNested(values) : renderMembers(schema);
}

/** Each alternative, opened in place. */
function renderBranches(branches: readonly Schema[]): Html {
  const items = branches.map((branch) => {
    const constraints = describeUnnamed(branch);
    return html`<li>${buildType(branch)}${constraints !== "" && html` <span class="soft">${inline(constraints)}</span>`}${renderNested(branch)}</li>`;
  });
  return html`<p class="soft">One of:</p><ul class="branches">${items}</ul>`;
}

interface Provenance {
  "x-source"?: string | string[];
  "x-decision"?: string | string[];
}

/** A mark that leads to the clauses and decisions behind a place: script/page.ts shows them there. */
export function renderWhy(place: Provenance): Html | undefined {
  const clauses = toList(place["x-source"] ?? []);
  const decisions = toList(place["x-decision"] ?? []);
  const targets = [...clauses.map(clauseAnchorOf), ...decisions.map((id) => toAnchor("decision", id))];
  if (targets.length === 0) return undefined;
  const names = [...clauses, ...decisions].join(", ");
  return html`<a class="why" href="#${targets[0]}" data-why="${[...new Set(targets)].join(" ")}" title="${names}" aria-label="Why? ${names}">why</a>`;
}

/** The description at a place of the contract, not that of what it refers to. */
export function descriptionOf(schema: Schema): string | undefined {
  return nodeOf(schema).description as string | undefined;
}

const PHRASES: Readonly<Record<string, (value: string) => string>> = {
  type: (value) => `of type ${value}`,
  const: (value) => `always ${value}`,
  enum: (value) => `one of ${value}`,
  format: (value) => `of the format ${value}`,
  pattern: (value) => `matching \`${value}\``,
  minimum: (value) => `at least ${value}`,
  maximum: (value) => `at most ${value}`,
  exclusiveMinimum: (value) => `more than ${value}`,
  exclusiveMaximum: (value) => `less than ${value}`,
  multipleOf: (value) => `a multiple of ${value}`,
  minLength: (value) => (value === "1" ? "not empty" : `at least ${count(value, "character")}`),
  maxLength: (value) => `at most ${count(value, "character")}`,
  minItems: (value) => `at least ${count(value, "item")}`,
  maxItems: (value) => `at most ${count(value, "item")}`,
  uniqueItems: (value) => (value === "true" ? "without duplicates" : "with or without duplicates"),
  minProperties: (value) => `at least ${count(value, "member")}`,
  maxProperties: (value) => `at most ${count(value, "member")}`,
  default: (value) => `${value} by default`,
};

const count = (value: string, noun: string) => `${value} ${noun}${value === "1" ? "" : "s"}`;

/** The keywords that are shown: each that has a phrase, but for the type, which stands before them. */
const CONSTRAINTS = Object.keys(PHRASES).filter((keyword) => keyword !== "type");

/**
 * Code is between backticks.
 * @param unit of its numbers: a long time is also said in other units.
 */
function describeConstraint(keyword: string, value: unknown, unit?: Unit): string {
  const phrase = phraseOf(keyword, value);
  const inUnits = unit !== undefined && typeof value === "number" ? formatDuration(value, unit) : "";
  return inUnits === "" ? phrase : `${phrase} (${inUnits})`;
}

function phraseOf(keyword: string, value: unknown): string {
  const values = toList(value).map((item) => (typeof item === "string" ? item : JSON.stringify(item)));
  const name = keyword === "enum" && values.length === 1 ? "const" : keyword;
  const text = values.join(", ");
  return PHRASES[name]?.(text) ?? `${name} ${text}`;
}

/** In milliseconds. */
const UNITS = { milliseconds: 1, seconds: 1_000 } as const;
type Unit = keyof typeof UNITS;

/** The unit that a name such as `delayMs` or `ttlSeconds` ends in. */
function unitOf(name: string): Unit | undefined {
  if (/(?:^m|M)illiseconds$|Ms$/.test(name)) return "milliseconds";
  return /(?:^s|S)econds$/.test(name) ? "seconds" : undefined;
}

const DAY_MS = 24 * 3_600_000;
const LONG: readonly (readonly [milliseconds: number, noun: string])[] = [
  [365 * DAY_MS, "year"],
  [DAY_MS, "day"],
  [3_600_000, "hour"],
  [60_000, "minute"],
  [1_000, "second"],
];

/** `100 years`; empty for a time that is short in its own unit. */
function formatDuration(value: number, unit: Unit): string {
  const milliseconds = value * UNITS[unit];
  const [size, noun] = LONG.find(([least]) => Math.abs(milliseconds) >= least) ?? [];
  if (size === undefined || noun === undefined || size <= UNITS[unit]) return "";
  const rounded = Math.round((milliseconds / size) * 10) / 10;
  return `${rounded} ${noun}${Math.abs(rounded) === 1 ? "" : "s"}`;
}
