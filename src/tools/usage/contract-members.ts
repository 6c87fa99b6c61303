// Every place of the contract's requests and responses, with the name of its member in code. Generated types declare a
// member once, in its schema, although several operations have it:
//   `200 body.data[].status` of listNotifications  →  `Notification.status`
//   `query.limit` of listNotifications             →  `listNotifications.query.limit`
import type { Contract } from "../../contract/contract.js";
import type { SchemaNode } from "../../contract/copy-schema.js";
import { isObject } from "../../contract/json.js";
import type { Operation } from "../../contract/model.js";
import { type Pointer, parseReference } from "../../contract/pointer.js";
import type { Schema, SchemaObject } from "../../contract/schema.js";

/** The kind of message that a member is part of. */
export type MemberKind = "response" | "error" | "request" | "parameter" | "header";

export interface MemberPlace {
  operation: string;
  /** In requests or responses: `["200", "body", "data", EACH_ITEM, "status"]`. */
  steps: readonly string[];
  kind: MemberKind;
  /** `Notification.status`; for a whole body the name of its schema. */
  member: string;
  /** The name of the value's schema: `Channel`; if that has no name, the same as `member`. */
  schema: string;
  /** The names of the members and schemas around it, outermost first, then its own. */
  within: string[];
}

/** Steps into a value that are not a member's name. */
export const EACH_ITEM = "[]";
export const UNKNOWN_MEMBER = "unknownMember";

/** All places; a recursive schema appears once within itself. */
export function findMemberPlaces({ operations }: Contract): MemberPlace[] {
  return operations.flatMap((operation) => [...placesOf(operation)]);
}

function* placesOf({ id: operation, parameters, body, responses }: Operation): Generator<MemberPlace> {
  for (const { in: location, name, schema } of parameters) {
    const steps = [location, location === "header" ? name.toLowerCase() : name];
    const group = `${operation}.${location}`;
    yield* placesIn(schema, createPlace({ operation, steps, kind: "parameter", member: `${group}.${name}` }, group));
  }
  for (const { schema } of body?.content ?? []) {
    const member = componentName(body?.pointer) ?? `${operation}.body`;
    yield* placesIn(schema, createPlace({ operation, steps: ["body"], kind: "request", member }));
  }
  for (const { key, content, headers, pointer } of responses) {
    const kind = key.startsWith("2") ? "response" : "error";
    const member = componentName(pointer) ?? `${operation}.${key}`;
    for (const { schema } of content)
      yield* placesIn(schema, createPlace({ operation, steps: [key, "body"], kind, member }));
    for (const { name, schema } of headers)
      yield* placesIn(schema, createPlace({ operation, steps: [key, "header", name], kind: "header", member: name }));
  }
}

/** A whole part of a message, whose schema has no name yet. */
function createPlace(part: Omit<MemberPlace, "schema" | "within">, ...outer: string[]): MemberPlace {
  return { ...part, schema: part.member, within: [...outer, part.member] };
}

/**
 * The places in a value, each under the name of the schema that declares it: types declare a member where it is
 * written.
 */
function* placesIn(schema: Schema | undefined, here: MemberPlace): Generator<MemberPlace> {
  if (!schema || !isObject(schema.node)) return;
  const { $ref, properties = {}, items, additionalProperties, ...others } = schema.node as SchemaObject;
  if ($ref !== undefined) {
    const name = parseReference($ref).slice(2).join(".");
    if (!here.within.includes(name)) yield* placesIn(schema.target, renamed(here, name));
    return;
  }
  yield here;
  for (const branch of [others.allOf ?? [], others.oneOf ?? [], others.anyOf ?? []].flat())
    yield* placesIn(schema.of(branch as SchemaNode), here);
  for (const [name, member] of Object.entries(properties)) {
    const path = `${here.schema}.${name}`;
    const place = { ...here, steps: [...here.steps, name], member: path, schema: path, within: [...here.within, path] };
    yield* placesIn(schema.of(member), place);
  }
  if (items) yield* placesIn(schema.of(items), { ...here, steps: [...here.steps, EACH_ITEM] });
  if (isObject(additionalProperties))
    yield* placesIn(schema.of(additionalProperties), { ...here, steps: [...here.steps, UNKNOWN_MEMBER] });
}

/** The same place, whose schema has a name. A body is called as its schema. */
function renamed(here: MemberPlace, name: string): MemberPlace {
  const member = here.steps.at(-1) === "body" ? name : here.member;
  return { ...here, member, schema: name, within: [...here.within, name] };
}

function componentName([section, , ...name]: Pointer = []): string | undefined {
  return section === "components" ? name.join(".") : undefined;
}

/**
 * The name of the member that generated types declare at a path: `components.schemas.Notification.status` or
 * `operations.listNotifications.parameters.query.limit`. Neither has items or `allOf`.
 */
export function formatMemberName(path: readonly string[], operations: readonly Operation[]): string | undefined {
  const [root, section = "", ...rest] = path;
  if (root === "components") {
    if (section === "schemas") return rest.join(".");
    const [name = "", part, media, ...members] = rest;
    return part === "headers" ? media : part === "content" ? [name, ...members].join(".") : undefined;
  }
  const operation = operations.find(({ id, path: at, method }) =>
    root === "paths" ? at === section && method === rest[0] : id === section,
  );
  if (!operation) return undefined;
  const [part, ...names] = root === "paths" ? rest.slice(1) : rest;
  const { id } = operation;
  if (part === "parameters") return [id, ...names].join(".");
  const [status, content, , ...members] = part === "responses" ? names : ["body", ...names];
  if (content === "headers") return names[2];
  return part === "responses" || part === "requestBody" ? [id, status, ...members].join(".") : id;
}
