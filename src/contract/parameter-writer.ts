// Writes values as the texts of parameters and headers, in the styles that parameter-reader.ts reads.
import { isObject } from "./json.js";
import { toList } from "./lists.js";
import { isJson } from "./media-type.js";
import type { Parameter } from "./model.js";

/** A value that the styles of OpenAPI cannot write, such as an object in an object. */
export class UnwritableError extends Error {}

function writeScalar(value: unknown): string {
  if (typeof value === "object" && value !== null) throw new UnwritableError("an object or a list in another one");
  return String(value);
}

/** Writes a parameter of the path, a header or a cookie, or a header of a response. @throws UnwritableError */
export function writeText(
  value: unknown,
  { mediaType, isExploded }: Pick<Parameter, "mediaType" | "isExploded"> = SIMPLE,
): string {
  if (mediaType !== undefined) return writeContent(value, mediaType);
  return joinParts(value, isExploded, writeScalar);
}

const SIMPLE = { mediaType: undefined, isExploded: false };

/** Writes any value in style `simple`, also one in another one. */
export function writeSimple(value: unknown, isExploded = false): string {
  if (typeof value !== "object" || value === null) return String(value);
  return joinParts(value, isExploded, (part) => writeSimple(part));
}

/** `1,2`, `role,admin`, and exploded `role=admin`. */
function joinParts(value: unknown, isExploded: boolean, toText: (value: unknown) => string): string {
  if (!isObject(value)) return toList(value).map(toText).join(",");
  const pairs = Object.entries(value).map(([name, member]) => [name, toText(member)]);
  return pairs.map((pair) => pair.join(isExploded ? "=" : ",")).join(",");
}

function writeContent(value: unknown, mediaType: string): string {
  return isJson(mediaType) ? JSON.stringify(value) : writeScalar(value);
}

/** The delimiter between the values of a list; undefined if the parameter is repeated. */
export function delimiterOf({ style, isExploded }: Parameter): string | undefined {
  return isExploded && style !== "simple" ? undefined : ",";
}

/**
 * Writes the pairs of a query parameter. The texts of a list are encoded one by one, so that none contains the
 * delimiter.
 * @param parameter undefined for one that the contract lacks.
 * @param toText writes a single value.
 * @throws UnwritableError
 */
export function writeQuery(
  name: string,
  value: unknown,
  parameter: Parameter | undefined,
  toText: (value: unknown) => string = writeScalar,
): string[] {
  const delimiter = parameter && delimiterOf(parameter);
  const writePair = (key: string, ...texts: readonly string[]) =>
    `${encodeReserved(key)}=${texts.map((text) => encodeText(text, parameter)).join(delimiter)}`;
  const { style = "form", isExploded = true, mediaType } = parameter ?? {};
  if (mediaType !== undefined) return [writePair(name, writeContent(value, mediaType))];
  if (isObject(value)) {
    const members = Object.entries(value).map(([key, member]) => [key, toText(member)] as const);
    if (style === "deepObject") return members.map(([key, text]) => writePair(`${name}[${key}]`, text));
    if (style === "form" && isExploded) return members.map(([key, text]) => writePair(key, text));
    return [writePair(name, ...members.flat())];
  }
  if (style === "deepObject") throw new UnwritableError("no object in the style deepObject");
  const texts = toList(value).map(toText);
  if (delimiter === undefined || texts.length === 0) return texts.map((text) => writePair(name, text));
  return [writePair(name, ...texts)];
}

/** Encodes every reserved character: some servers misread quotes and brackets. */
export function encodeReserved(text: string): string {
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

function encodeText(text: string, parameter: Parameter | undefined): string {
  const encoded = encodeReserved(text);
  if (!parameter?.allowsReserved) return encoded;
  return encoded
    .replaceAll(/%(2F|3A|3B|3F|40|21|24|2C|2[789A])/g, decodeURIComponent)
    .replaceAll(parameter.hasLiteralPlus ? "%2B" : "%20", "+"); // a plus sign or a blank (D-67)
}
