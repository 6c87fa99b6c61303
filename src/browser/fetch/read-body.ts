// Reads the body of a request as the Express server's parsers do: JSON or text in UTF-8, or bytes, possibly compressed
// (D-50, D-52, D-53).
import { contentOf, essenceOf, findMedia, toBinaryText } from "../../contract/media-type.js";
import type { MediaType } from "../../contract/model.js";
import { BODY_ERRORS } from "../../core/request/errors.js";
import { LIMITS } from "../../core/request/limits.js";
import type { ParsedBody } from "../../core/request/validate.js";

export interface ReceivedBody {
  bytes: Uint8Array;
  /** True if the rest was not read. */
  isCut: boolean;
}

const MOST_SENT = 2 * LIMITS.bodyBytes; // compression may make a body slightly longer

/** Reads up to a limit that no valid body exceeds. @throws the error that ends an upload early */
export async function receiveBody(request: Request): Promise<ReceivedBody> {
  const { body, signal } = request;
  // An environment without streams.
  if (body === undefined) return { bytes: new Uint8Array(await request.arrayBuffer()), isCut: false };
  return body === null ? { bytes: new Uint8Array(), isCut: false } : read(body, MOST_SENT, signal);
}

/**
 * Parses a body; the bytes stand for one of a form that is not declared. Undefined if there is none.
 * @throws RequestError
 */
export async function parseBody(
  { headers, body }: Request,
  received: ReceivedBody,
  declared: readonly MediaType[] = [],
): Promise<ParsedBody | undefined> {
  if (body === null) return undefined;
  const type = headers.get("content-type") ?? undefined;
  const [, ...parameters] = (type ?? "").toLowerCase().split(";");
  const isUnsupported = type === undefined || !(essenceOf(type) === "application/json" || findMedia(declared, type));
  if (isUnsupported) return received.bytes.byteLength === 0 ? undefined : { value: received.bytes };
  const content = contentOf(type);
  const charsets = parameters.flatMap((parameter) => /^\s*charset="?([^"\s]+)/.exec(parameter)?.[1] ?? []);
  const [charset = "utf-8"] = content === "bytes" ? [] : charsets;
  if (!charset.startsWith("utf-")) throw BODY_ERRORS.charset();
  const bytes = await decompress(received, headers.get("content-encoding")?.toLowerCase() || "identity");
  if (received.isCut || bytes.byteLength > LIMITS.bodyBytes) throw BODY_ERRORS.tooLarge(LIMITS.bodyBytes);
  if (charset !== "utf-8") throw BODY_ERRORS.otherUtf();
  if (bytes.byteLength === 0) return undefined;
  if (content === "bytes") return { value: toBinaryText(bytes) };
  const text = decode(bytes);
  return { value: content === "json" ? parse(text) : text };
}

async function decompress({ bytes, isCut }: ReceivedBody, encoding: string): Promise<Uint8Array> {
  if (encoding === "identity") return bytes;
  if (encoding !== "gzip" && encoding !== "deflate") throw BODY_ERRORS.encoding();
  const stream = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new DecompressionStream(encoding));
  const decoded = await read(stream, LIMITS.bodyBytes).catch(() => {
    throw isCut ? BODY_ERRORS.tooLarge(LIMITS.bodyBytes) : BODY_ERRORS.undecodable();
  });
  if (decoded.isCut) throw BODY_ERRORS.tooLarge(LIMITS.bodyBytes); // a small body may expand to a very large one
  return decoded.bytes;
}

/** Reads until the limit is exceeded or the signal aborts. */
async function read(stream: ReadableStream<Uint8Array>, most: number, signal?: AbortSignal): Promise<ReceivedBody> {
  const reader = stream.getReader();
  const stop = () => void reader.cancel().catch(() => {});
  signal?.addEventListener("abort", stop);
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      chunks.push(chunk.value);
      length += chunk.value.length;
      if (length <= most) continue;
      stop();
      break;
    }
  } finally {
    signal?.removeEventListener("abort", stop);
  }
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return { bytes, isCut: length > most };
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw BODY_ERRORS.notUtf8();
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw BODY_ERRORS.notJson(error as SyntaxError);
  }
}
