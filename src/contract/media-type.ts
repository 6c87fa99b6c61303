// Media types (RFC 9110 §8.3), as they stand in a contract and in headers.

/** True for `application/json`, `application/problem+json; charset=utf-8` and the like (WHATWG MIME Sniffing §4.6). */
export function isJson(mediaType: string): boolean {
  return /^((application|text)\/json|[^/]+\/.*\+json)$/.test(essenceOf(mediaType));
}

/**
 * What a body's bytes are by its media type. Those of neither JSON nor a text, such as an image or a form with files,
 * stay as they are.
 */
export function contentOf(mediaType: string): "json" | "text" | "bytes" {
  if (isJson(mediaType)) return "json";
  return /^text\/|[/+]xml$|^application\/x-www-form-urlencoded$/.test(essenceOf(mediaType)) ? "text" : "bytes";
}

/** Bytes as schemas know them (`format: binary`): a text with a character for each. */
export const toBinaryText = (bytes: Uint8Array) => new TextDecoder("latin1").decode(bytes);

/** Without parameters, in lower case: `Text/CSV; header=present` → `text/csv`. */
export function essenceOf(mediaType: string): string {
  return (mediaType.split(";", 1)[0] ?? "").trim().toLowerCase();
}

/** True if a media type of the contract, or a range such as `text/*`, covers a media type. */
export function covers(range: string, mediaType: string): boolean {
  const [wide, narrow] = [essenceOf(range), essenceOf(mediaType)];
  if (!wide.includes("*")) return wide === narrow;
  return narrow.startsWith(wide.replace(/\*.*/, "")) && narrow.endsWith(wide.replace(/.*\*/, ""));
}

/** The declaration of a media type: the most specific item that covers it. */
export function findMedia<T extends { type: string }>(content: readonly T[], mediaType: string): T | undefined {
  const covering = content.filter(({ type }) => covers(type, mediaType));
  return covering.toSorted((one, other) => specificity(other.type) - specificity(one.type))[0];
}

const specificity = (range: string) => essenceOf(range).replaceAll("*", "").length;

/** The media type that a body of a range is sent as: JSON where the range has it, else text. */
export function concreteType(range: string): string {
  if (!range.includes("*")) return range;
  if (covers(range, "application/json")) return "application/json";
  return range.replace("*+", "vnd.example+").replace("*", "plain");
}

/** True for JSON, and for a range that has it. */
export function hasJson(range: string): boolean {
  return isJson(concreteType(range));
}

/** The item that bodies are read as where nothing chooses: JSON if declared, else the first one. */
export function preferred<T extends { type: string }>(content: readonly T[]): T | undefined {
  return (
    content.find(({ type }) => essenceOf(type) === "application/json") ??
    content.find(({ type }) => isJson(type)) ??
    content.find(({ type }) => covers(type, "application/json")) ??
    content[0]
  );
}

/** The item that an `Accept` header prefers (RFC 9110 §12.5.1); the first one if it names none of them. */
export function negotiate<T extends { type: string }>(
  content: readonly T[],
  accept: string | undefined,
): T | undefined {
  const usual = preferred(content);
  if (!accept || content.length < 2) return usual;
  const ranges = accept.split(",").map((range) => ({ type: essenceOf(range), quality: qualityOf(range) }));
  const qualityFor = ({ type }: T) => {
    const concrete = concreteType(type);
    return findMedia(ranges, concrete)?.quality ?? 0;
  };
  const ordered = [...new Set([usual, ...content])].filter((item) => item !== undefined);
  const best = ordered.toSorted((one, other) => qualityFor(other) - qualityFor(one))[0];
  return best && qualityFor(best) > 0 ? best : content[0];
}

function qualityOf(range: string): number {
  const [, quality = "1"] = /;\s*q\s*=\s*([\d.]+)/i.exec(range) ?? [];
  return Number(quality);
}
