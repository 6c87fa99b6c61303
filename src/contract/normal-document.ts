// Turns the value of a contract's file into the document that everything else reads. References are followed, so that
// only a schema still refers to another schema; parts that no tool supports are removed and listed; each operation has
// all of its parts.

import { type Kind, METHODS, mapParts, type Node, walkNodes } from "./grammar.js";
import { isObject } from "./json.js";
import { hasJson } from "./media-type.js";
import {
  errorAt,
  type FileLines,
  type HeaderObject,
  type OpenApiDocument,
  type OperationObject,
  type ParameterObject,
} from "./openapi-document.js";
import { type Pointer, parseReference, toReference, valueAt } from "./pointer.js";

/** A part of a contract that the tools ignore. */
export interface UncheckedPlace {
  pointer: Pointer;
  /** `nullable`, for example. */
  construct: string;
  /** Why it is not supported. */
  reason: string;
  value: unknown;
}

export interface NormalDocument {
  document: OpenApiDocument;
  unchecked: UncheckedPlace[];
  /** The place in the file of a part of the document, behind the references to it. */
  pointerOf(part: object): Pointer | undefined;
}

interface File extends FileLines {
  value: unknown;
}

const NOT_SERVED = "is not served";
const NOT_VALIDATED = "a body that is not JSON is not validated";
const NOT_SENT = "is a header of the connection, which HTTP sets; it is not sent as declared";
const NOT_REQUIRED = "belongs to the connection, so a server cannot be required to send it";
const KEY_ALONE = "the API key alone gives access";
const NO_DYNAMIC = "is not supported. Refer by place: $ref: '#/components/schemas/Name'";

/** Headers that HTTP sets for each connection or message. Neither side can be required to send one. */
export const FRAMING_HEADERS: ReadonlySet<string> = new Set(
  "connection content-length keep-alive te trailer transfer-encoding upgrade".split(" "),
);
const CONNECTION_HEADERS = new Set([...FRAMING_HEADERS, "content-encoding", "date"]);

/** Names of a schema, without effect where references go by place. */
const NAMES = new Set(["$id", "$anchor", "$dynamicAnchor", "$schema", "$vocabulary"]);
const MAX_REFERENCES = 100;

const ANCHOR = "is an anchor or id, which is not supported. Refer by place, as in #/components/schemas/Name";
const OTHER_FILE =
  "leads to another file, which is not supported. Put all into one: npx @redocly/cli bundle <file> --output <new file>";

/**
 * Follows the references of a document, which may still be invalid as OpenAPI.
 * @throws ContractError with file, line and reason for one that cannot be followed.
 */
export function followReferences(file: File): NormalDocument {
  const nodes = new Map<object, Node>();
  for (const node of walkNodes(file.value)) nodes.set(node.value, node);
  const { find, findSchema } = createFinder(file, nodes);
  const copies = new Map<object, object>();
  const pointers = new Map<object, Pointer>();
  const unchecked: UncheckedPlace[] = [];
  const document = copy(file.value, "document");
  return { document: document as OpenApiDocument, unchecked, pointerOf: (part) => pointers.get(part) };

  /** Copies a part of the file. Parts that are referred to several times become one object. */
  function copy(part: unknown, kind: Kind): unknown {
    if (!isObject(part)) return part;
    const made = copies.get(part);
    if (made) return made;
    const { pointer } = nodes.get(part) ?? { pointer: [] };
    if (kind !== "schema" && typeof part.$ref === "string") {
      const { $ref, ...rest } = part;
      const target = copy(find($ref as string, kind, pointer).value, kind);
      const whole = kind === "pathItem" && isObject(target) ? { ...target, ...(copy(rest, kind) as object) } : target;
      if (isObject(whole) && whole !== target) pointers.set(whole, pointer);
      copies.set(part, whole as object);
      return whole;
    }
    const children = mapParts(kind, withoutUnsupported(part, kind, pointer), (child) => copy(child.value, child.kind));
    if (kind === "schema" && typeof part.$ref === "string") children.$ref = toReference(findSchema(part.$ref, pointer));
    copies.set(part, children);
    pointers.set(children, pointer);
    return children;
  }

  function withoutUnsupported(part: Record<string, unknown>, kind: Kind, pointer: Pointer): Record<string, unknown> {
    const entries = Object.entries(part).filter(([key, value]) => {
      const ignored = findUnsupported(part, kind, key);
      if (ignored?.isError) throw errorAt(file, [...pointer, key], `${key} ${ignored.reason}`);
      if (ignored?.construct)
        unchecked.push({ pointer: [...pointer, key], construct: ignored.construct, reason: ignored.reason, value });
      return !ignored?.isRemoved;
    });
    if (kind === "requestBody" && isObject(part.content)) {
      for (const [type, value] of Object.entries(part.content).filter(([name]) => !hasJson(name)))
        unchecked.push({ pointer: [...pointer, "content", type], construct: type, reason: NOT_VALIDATED, value });
    }
    const rest = Object.fromEntries(entries);
    if (kind === "response" && isObject(part.headers))
      rest.headers = withoutConnection(part.headers, { file, pointer, unchecked, copy });
    return rest;
  }
}

/** Finds what the references of a file lead to. @param nodes its parts. */
function createFinder(file: File, nodes: ReadonlyMap<object, Node>) {
  return { find, findSchema };

  /** The part that a reference leads to, behind further references on the way. */
  function find(reference: string, kind: Kind, pointer: Pointer): Node {
    const fail = (reason: string) => errorAt(file, [...pointer, "$ref"], `$ref ${reference} ${reason}`);
    let next = reference;
    for (let count = 0; count < MAX_REFERENCES; count += 1) {
      const target = descend(next, fail);
      if (!isObject(target)) throw fail(target === undefined ? "leads nowhere" : `leads to ${JSON.stringify(target)}`);
      const node = nodes.get(target);
      if (!node) throw fail(`leads to data. Put ${describeKind(kind)} that is referred to in components`);
      if (node.kind !== kind)
        throw fail(`leads to ${describeKind(node.kind)}, where ${describeKind(kind)} is expected`);
      const isAlias = typeof target.$ref === "string" && (kind !== "schema" || Object.keys(target).length === 1);
      if (!isAlias) return node;
      next = String(target.$ref);
    }
    throw fail("leads back to itself, or through more than 100 references");
  }

  /** A schema may be a boolean, which has no node. */
  function findSchema(reference: string, pointer: Pointer): Pointer {
    const fail = (reason: string) => errorAt(file, [...pointer, "$ref"], `$ref ${reference} ${reason}`);
    const place = parseLocal(reference, fail);
    if (typeof descend(reference, fail) === "boolean") return place;
    return find(reference, "schema", pointer).pointer;
  }

  /** The value at the place of a reference. A reference to another part may stand on the way. */
  function descend(reference: string, fail: (reason: string) => Error): unknown {
    let place = file.value;
    for (const part of parseLocal(reference, fail)) {
      const node = isObject(place) ? nodes.get(place) : undefined;
      if (node && node.kind !== "schema" && typeof node.value.$ref === "string")
        place = find(node.value.$ref, node.kind, node.pointer).value;
      place = valueAt(place, [part]);
    }
    return place;
  }
}

function parseLocal(reference: string, fail: (reason: string) => Error): Pointer {
  if (!reference.startsWith("#")) throw fail(OTHER_FILE);
  if (reference !== "#" && !reference.startsWith("#/")) throw fail(ANCHOR);
  return parseReference(reference);
}

interface HeadersPlace {
  file: File;
  /** That of the response. */
  pointer: Pointer;
  unchecked: UncheckedPlace[];
  copy(part: unknown, kind: Kind): unknown;
}

/** HTTP itself sets the headers of the connection and of a body's coding, whatever a contract declares. */
function withoutConnection(headers: object, { file, pointer, unchecked, copy }: HeadersPlace): object {
  const isOfConnection = ([name]: [string, unknown]) => CONNECTION_HEADERS.has(name.toLowerCase());
  const entries = Object.entries(headers);
  for (const [construct, value] of entries.filter(isOfConnection)) {
    const place = [...pointer, "headers", construct];
    const { required } = copy(value, "header") as HeaderObject;
    if (required && FRAMING_HEADERS.has(construct.toLowerCase()))
      throw errorAt(file, place, `the response header ${construct} ${NOT_REQUIRED}`);
    unchecked.push({ pointer: place, construct, reason: NOT_SENT, value });
  }
  return Object.fromEntries(entries.filter((entry) => !isOfConnection(entry)));
}

/** `a path item` */
function describeKind(kind: Kind): string {
  const words = kind.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `${/^[aeiou]/.test(words) ? "an" : "a"} ${words}`;
}

interface Unsupported {
  reason: string;
  /** Listed under this name; undefined for what nobody misses. */
  construct?: string;
  isRemoved?: boolean;
  isError?: boolean;
}

function findUnsupported(part: Record<string, unknown>, kind: Kind, key: string): Unsupported | undefined {
  const value = part[key];
  if (kind === "schema") {
    if (key === "$dynamicRef" || key === "$recursiveRef") return { reason: NO_DYNAMIC, isError: true };
    if (NAMES.has(key)) return { reason: "", isRemoved: true };
    const reason = "is not OpenAPI 3.1. Use type: [string, 'null']";
    return key === "nullable" ? { reason, construct: key, isRemoved: true } : undefined;
  }
  const isNotServed = (kind === "operation" && key === "callbacks") || (kind === "document" && key === "webhooks");
  if (isNotServed) return { reason: NOT_SERVED, construct: key, isRemoved: true };
  if (kind !== "securityScheme") return undefined;
  const construct = `${key}: ${value}`;
  return UNCHECKED_SCHEMES.has(construct) ? { reason: KEY_ALONE, construct } : undefined;
}

const UNCHECKED_SCHEMES = new Set(["type: oauth2", "type: openIdConnect", "type: mutualTLS", "scheme: basic"]);

/** Gives each operation the parameters of its path and a response, and the document the sections that it omits. */
export function completeOperations(document: OpenApiDocument): OpenApiDocument {
  for (const item of Object.values(document.paths ?? {})) {
    const shared = (item.parameters ?? []) as unknown as ParameterObject[];
    for (const method of METHODS) if (item[method]) complete(item[method], shared);
  }
  const sections: Partial<OpenApiDocument["components"]> = document.components ?? {};
  const components = { schemas: {}, parameters: {}, headers: {}, responses: {}, ...sections };
  return { ...document, paths: document.paths ?? {}, components, "x-decisions": document["x-decisions"] ?? {} };
}

/** In place: the operation is a copy. */
function complete(operation: OperationObject, shared: readonly ParameterObject[]): void {
  const keyOf = ({ name, in: where }: ParameterObject) => `${where} ${name}`;
  const ofOperation = (operation.parameters ?? []) as ParameterObject[];
  const replaced = new Set(ofOperation.map(keyOf)); // they replace parameters of the path
  // Its own keep their places, to which a reference may lead.
  operation.parameters = [...ofOperation, ...shared.filter((parameter) => !replaced.has(keyOf(parameter)))];
  if (Object.keys(operation.responses ?? {}).length === 0) operation.responses = { default: { description: "" } };
}
