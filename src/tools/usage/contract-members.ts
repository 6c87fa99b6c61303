// Every place of the contract's requests and responses, with the name of its member in code. Generated types declare a member
// once, in its schema, although several operations have it:
//   `200 body.data[].status` of listNotifications  →  `Notification.status`
//   `query.limit` of listNotifications             →  `listNotifications.query.limit`
import type { Contract } from "../../contract/contract.js";
import type { Operation } from "../../contract/model.js";
import type { SchemaObject } from "../../contract/openapi-document.js";
import { type Pointer, toPointer, valueAt } from "../../contract/pointer.js";
import type { Schema } from "../../contract/schema.js";

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
export function findMemberPlaces({ document, model }: Contract): MemberPlace[] {
  const places: MemberPlace[] = [];
  const nameOf = ([section, , ...name]: Pointer) => (section === "components" ? name.join(".") : undefined);
  for (const operation of model.operations) {
    const { id } = operation;
    const visit = (
      schema: Schema | undefined,
      here: Omit<MemberPlace, "operation" | "schema" | "within">,
      ...outer: string[]
    ) =>
      visitSchema(schema?.node as SchemaObject | undefined, {
        ...{ ...here, operation: id, schema: here.member, within: [...outer, here.member] },
      });
    for (const { in: location, name, schema } of operation.parameters) {
      const steps = [location, location === "header" ? name.toLowerCase() : name];
      visit(schema, { steps, kind: "parameter", member: `${id}.${location}.${name}` }, `${id}.${location}`);
    }
    for (const { schema } of operation.body?.content ?? []) {
      const member = nameOf(operation.body?.pointer ?? []) ?? `${id}.body`;
      visit(schema, { steps: ["body"], kind: "request", member });
    }
    for (const { key, content, headers, pointer } of operation.responses) {
      const kind = key.startsWith("2") ? "response" : "error";
      for (const { schema } of content)
        visit(schema, { steps: [key, "body"], kind, member: nameOf(pointer) ?? `${id}.${key}` });
      for (const { name, schema } of headers)
        visit(schema, { steps: [key, "header", name], kind: "header", member: name });
    }
  }
  return places;

  function visitSchema(schema: SchemaObject | undefined, here: MemberPlace): void {
    if (typeof schema !== "object") return;
    const { $ref, properties = {}, items, additionalProperties, allOf = [] } = schema;
    const name = shortNameOf(schema);
    if (name !== undefined && typeof $ref === "string") {
      const isBody = here.steps.at(-1) === "body";
      const target = valueAt(document, toPointer($ref)) as SchemaObject;
      const within = [...here.within, name];
      if (!here.within.includes(name))
        visitSchema(target, { ...here, member: isBody ? name : here.member, schema: name, within });
      return;
    }
    places.push(here);
    const alternatives = [allOf, schema.oneOf ?? [], schema.anyOf ?? []].flat() as SchemaObject[];
    for (const part of alternatives) visitSchema(part, here);
    for (const [name, member] of Object.entries(properties)) {
      const path = `${here.schema}.${name}`;
      const below = { ...here, steps: [...here.steps, name], member: path, schema: path };
      visitSchema(member, { ...below, within: [...here.within, path] });
    }
    visitSchema(items, { ...here, steps: [...here.steps, EACH_ITEM] });
    if (typeof additionalProperties === "object")
      visitSchema(additionalProperties as SchemaObject, { ...here, steps: [...here.steps, UNKNOWN_MEMBER] });
  }
}

/** `Notification` of `#/components/schemas/Notification`. */
function shortNameOf(object: object | undefined): string | undefined {
  const ref = object && "$ref" in object && object.$ref;
  return typeof ref === "string" ? toPointer(ref).slice(2).join(".") : undefined;
}

/**
 * The name of the member that generated types declare at a path: `components.schemas.Notification.status` or
 * `operations.listNotifications.parameters.query.limit`. Neither has items or `allOf`.
 */
export function toMemberName(path: readonly string[], operations: readonly Operation[]): string | undefined {
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
