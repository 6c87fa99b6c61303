// Reads the texts of parameters and headers as values, once for the whole schema: `1` is a number where the schema is
// `oneOf: [integer, boolean]`, and a text where it allows texts. A text that no type takes stays one, and is invalid.
import { lookUp, readJson } from "./json.js";
import { mapDefined, toList } from "./lists.js";
import { isJson } from "./media-type.js";
import { memoize } from "./memoize.js";
import type { Header, Operation, Parameter } from "./model.js";
import type { JsonType, Schema } from "./schema.js";
import { readCookies } from "./security.js";
import { pairsOf } from "./target.js";

const INTEGER = /^-?\d+$/;
const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i; // JSON has no Infinity and no 0x10

/** Reads one text. A schema that allows several types takes the first reading that it allows. */
export function readText(schema: Schema, text: string): unknown {
  return readerOf(schema)(text);
}

/** Kept, since each request asks. */
const readerOf = memoize((schema: Schema) => {
  const { enum: values = [], const: constant } = schema.flat;
  const scalars = [constant, ...values].filter((value) => value === null || typeof value !== "object");
  const { types } = schema;
  return (text: string): unknown => {
    const named = scalars.find((value) => String(value) === text);
    if (named !== undefined) return named;
    const [first = text, ...further] = readingsOf(types, text);
    return further.length === 0 ? first : ([first, ...further].find((value) => schema.allows(value)) ?? first);
  };
});

function readingsOf(types: readonly JsonType[], text: string): unknown[] {
  const readings: unknown[] = types.includes("string") ? [text] : [];
  const isNumber = types.includes("number") ? NUMBER.test(text) : types.includes("integer") && INTEGER.test(text);
  if (isNumber && Number.isFinite(Number(text))) readings.push(Number(text));
  if (types.includes("boolean") && (text === "true" || text === "false")) readings.push(text === "true");
  if (types.includes("null") && text === "null") readings.push(null);
  return readings;
}

/** Where the texts of a list are separated. */
const delimiterOf = (style: Parameter["style"]) => (style === "simple" ? /,[ \t]*/ : /,/);

type Decode = (text: string) => string;

interface Texts {
  schema: Schema;
  mediaType: string | undefined;
  /** The style of a list in one text; undefined if each item has a text of its own. */
  delimiter: RegExp | undefined;
}

/** Reads the texts of one name. */
function readTexts({ schema, mediaType, delimiter }: Texts, texts: readonly string[], decode: Decode): unknown {
  const [first = ""] = texts;
  if (mediaType !== undefined) return isJson(mediaType) ? readJson(decode(first)) : readText(schema, decode(first));
  const list = listOf(schema);
  const isSingle = texts.length === 1;
  if (!list) return isSingle ? readText(schema, decode(first)) : texts.map(decode);
  const parts = delimiter ? texts.flatMap((text) => text.split(delimiter)) : texts;
  const items = parts.map((part, index) => readText(list.item(index), decode(part)));
  const isOnlyList = schema.types.every((type) => type === "array" || type === "null" || type === "object");
  if (!isSingle || isOnlyList) return items;
  const text = readText(schema, decode(first));
  return schema.allows(text) ? text : items;
}

/** The schema of the lists among its values; undefined if it allows none. Kept, since each request asks. */
const listOf = memoize((schema: Schema) => partOfType(schema, "array"));
const objectOf = memoize((schema: Schema) => partOfType(schema, "object"));

/** True for a schema whose values are single texts. */
export const isSingle = (schema: Schema): boolean => !listOf(schema) && !objectOf(schema);

function partOfType(schema: Schema, type: JsonType): Schema | undefined {
  if (!isDeclared(schema, type)) return undefined;
  return schema.alternatives.map((part) => partOfType(part, type)).find((part) => part !== undefined) ?? schema;
}

/** False for a schema without types, which allows every value: its texts are texts. */
function isDeclared(schema: Schema, type: JsonType): boolean {
  return (schema.types.includes(type) && !schema.types.includes("string")) || hasType(schema, type);
}

function hasType(schema: Schema, type: JsonType): boolean {
  if (toList(schema.flat.type).includes(type)) return true;
  return schema.alternatives.some((part) => hasType(part, type));
}

/** A query string, read according to the contract's parameters. */
export interface Query {
  /** The values of the parameters that were sent, by name. */
  values: Record<string, unknown>;
  /** Their texts, decoded; those of a repeated name are a list. None of an unknown name, which may be a key. */
  texts: Record<string, string | string[]>;
  /** Names that the contract lacks. */
  unknown: string[];
  /** Those sent more than once whose values stand in one text, between commas. */
  repeated: string[];
}

/** The place of a query's name: a parameter, or a member of one that is an object. */
interface Slot {
  parameter: Parameter;
  member?: string;
}

/** Creates the function that reads the query of an operation. Names that hold an API key are known, and have no value. */
export function createReadQuery({
  parameters,
  security,
}: Pick<Operation, "parameters" | "security">): (query: string | undefined) => Query {
  const keyNames = mapDefined(security.flat(), (place) => (place.in === "query" ? place.name : undefined));
  const findSlot = createFindSlot(
    parameters.filter((parameter) => parameter.in === "query"),
    keyNames,
  );

  /** @throws URIError for an invalid percent-encoding */
  return function readQuery(query) {
    const sent = new Map<Parameter, Map<string | undefined, string[]>>();
    const texts: Query["texts"] = Object.create(null);
    const unknown = new Set<string>();
    for (const [rawName, rawValue = ""] of pairsOf(query ?? "")) {
      if (rawName === "" && rawValue === "") continue;
      const name = decode(rawName, " ");
      const slot = findSlot(name);
      const text = decode(rawValue, slot?.parameter.hasLiteralPlus ? "+" : " ");
      if (!slot) {
        if (!keyNames.includes(name)) unknown.add(name);
      } else if (text !== "" || !slot.parameter.allowsEmptyValue) {
        // An empty text is no value where D-27 says so.
        add(sent, slot, rawValue);
        texts[name] = joinTexts(slot.parameter, texts[name], text);
      }
    }
    const values: Query["values"] = Object.create(null);
    for (const [parameter, members] of sent) values[parameter.name] = readMembers(parameter, members);
    const isRepeated = ([parameter, members]: [Parameter, Map<string | undefined, string[]>]) =>
      isInOneText(parameter) && (members.get(undefined)?.length ?? 0) > 1;
    const repeated = [...sent].filter(isRepeated).map(([{ name }]) => name);
    return { values, texts, unknown: [...unknown], repeated };
  };
}

/** Creates the function that finds where a name of the query belongs; undefined if nowhere. */
function createFindSlot(parameters: readonly Parameter[], keyNames: readonly string[]) {
  const slots = new Map<string, Slot>();
  for (const parameter of parameters) {
    slots.set(parameter.name, { parameter });
    for (const member of explodedMembers(parameter)) slots.set(member, { parameter, member });
  }
  const deep = parameters.filter(({ style }) => style === "deepObject");
  const open = parameters.find((parameter) => isExplodedObject(parameter) && takesAnyMember(parameter.schema));

  return function findSlot(name: string): Slot | undefined {
    const slot = slots.get(name);
    if (slot) return slot;
    const [, prefix, member] = /^([^[]*)\[([^\]]*)\]$/.exec(name) ?? []; // `filter[state]` of a deep object
    const parameter = deep.find((candidate) => candidate.name === prefix);
    if (parameter && member !== undefined) return { parameter, member };
    return open && !keyNames.includes(name) ? { parameter: open, member: name } : undefined;
  };
}

function add(
  texts: Map<Parameter, Map<string | undefined, string[]>>,
  { parameter, member }: Slot,
  text: string,
): void {
  const members = texts.get(parameter) ?? new Map<string | undefined, string[]>();
  members.set(member, [...(members.get(member) ?? []), text]);
  texts.set(parameter, members);
}

/** A list's texts are a list, even if there is one. */
function joinTexts({ schema }: Parameter, before: string | string[] | undefined, text: string): string | string[] {
  if (before === undefined) return listOf(schema) ? [text] : text;
  return typeof before === "string" ? [before, text] : [...before, text];
}

function readMembers(parameter: Parameter, members: ReadonlyMap<string | undefined, string[]>): unknown {
  const decodeValue: Decode = (text) => decode(text, parameter.hasLiteralPlus ? "+" : " "); // D-67
  const unnamed = members.get(undefined);
  if (unnamed) return readNamed(parameter, unnamed, decodeValue);
  const object = objectOf(parameter.schema) ?? parameter.schema;
  const value: Record<string, unknown> = Object.create(null);
  for (const [member = "", texts] of members) {
    const schema = object.member(member) ?? object.of(true);
    value[member] = readTexts({ schema, mediaType: undefined, delimiter: undefined }, texts, decodeValue);
  }
  return value;
}

/** Reads the texts that were sent under the name of a parameter or header. */
function readNamed(
  { schema, mediaType, style, isExploded }: Pick<Parameter, "schema" | "mediaType" | "style" | "isExploded">,
  texts: readonly string[],
  decodeValue: Decode,
): unknown {
  const [first = ""] = texts;
  const isObjectText = mediaType === undefined && objectOf(schema) && !listOf(schema) && style !== "deepObject";
  if (isObjectText && texts.length === 1) return readObject(schema, first, { style, isExploded }, decodeValue);
  const isRepeated = isExploded && style === "form";
  return readTexts({ schema, mediaType, delimiter: isRepeated ? undefined : delimiterOf(style) }, texts, decodeValue);
}

/** `role,admin,name,Ann`, or exploded in a path or header `role=admin,name=Ann`. */
function readObject(
  schema: Schema,
  text: string,
  { style, isExploded }: Pick<Parameter, "style" | "isExploded">,
  decodeValue: Decode,
): unknown {
  const parts = text.split(delimiterOf(style));
  const pairs = isExploded ? parts.map((part) => part.split(/=(.*)/s)) : pairUp(parts);
  if (pairs.some((pair) => pair.length < 2)) return decodeValue(text);
  const object = objectOf(schema) ?? schema;
  const entries = pairs.map(([name = "", value = ""]) => {
    const member = object.member(decodeValue(name)) ?? object.of(true);
    return [decodeValue(name), readText(member, decodeValue(value))];
  });
  return Object.fromEntries(entries);
}

function pairUp(parts: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(parts.length / 2) }, (_none, index) => parts.slice(index * 2, index * 2 + 2));
}

/** True for a list or object that one text holds, between commas. */
const isInOneText = ({ schema, style, isExploded, mediaType }: Parameter): boolean =>
  mediaType === undefined && style === "form" && !isExploded && !isSingle(schema);

function isExplodedObject({ schema, style, isExploded, mediaType }: Parameter): boolean {
  return mediaType === undefined && style === "form" && isExploded && objectOf(schema) !== undefined;
}

function explodedMembers(parameter: Parameter): string[] {
  return isExplodedObject(parameter) ? [...(objectOf(parameter.schema)?.members.keys() ?? [])] : [];
}

function takesAnyMember(schema: Schema): boolean {
  const { additionalProperties = false } = objectOf(schema)?.flat ?? {};
  return additionalProperties !== false;
}

function decode(text: string, plus: string): string {
  return decodeURIComponent(text.replaceAll("+", plus));
}

/** Reads the value of a response's header. */
export function readHeader(header: Header & { schema: Schema }, text: string): unknown {
  return readNamed({ ...header, style: "simple" }, [text], (part) => part);
}

/** The name of a parameter among the values of a request. */
export function nameIn({ in: where, name }: Pick<Parameter, "in" | "name">): string {
  return where === "header" ? name.toLowerCase() : name;
}

/** The values of the parameters in headers, cookies and path that were sent. */
export function readOthers(
  parameters: readonly Parameter[],
  sent: { path: Record<string, unknown>; headers: Readonly<Record<string, string | string[] | undefined>> },
): Record<"path" | "header" | "cookie", Record<string, unknown>> {
  const values = { path: Object.create(null), header: Object.create(null), cookie: Object.create(null) };
  const cookies = parameters.some((parameter) => parameter.in === "cookie")
    ? readCookies(sent.headers.cookie?.toString())
    : undefined;
  for (const parameter of parameters) {
    const { in: where, name } = parameter;
    if (where === "query") continue;
    const text =
      where === "path"
        ? sent.path[name]
        : where === "header"
          ? lookUp(sent.headers, name.toLowerCase())?.toString()
          : cookies?.get(name);
    if (text !== undefined) values[where][nameIn(parameter)] = readNamed(parameter, [String(text)], (part) => part);
  }
  return values;
}
