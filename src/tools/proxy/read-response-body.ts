// The value of a response's body: content coding decoded, UTF-8 and JSON parsed strictly. What is no JSON is a text.
import { isUtf8 } from "node:buffer";
import { promisify } from "node:util";
import { brotliDecompress, unzip } from "node:zlib";
import { isJson } from "../../contract/operations.js";
import { isOfMediaType } from "../../contract/response-check.js";
import type { Violation } from "../../contract/violation.js";
import type { ForwardedResponse } from "./forward.js";

/** `violation`: there is no such value. `unchecked`: why the value is unknown. */
export type ResponseBody = { value: unknown } | { violation: Violation } | { unchecked: string };

type Decode = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

const DECODERS: Readonly<Record<string, Decode>> = {
  "": async (bytes) => bytes,
  identity: async (bytes) => bytes,
  gzip: promisify(unzip),
  "x-gzip": promisify(unzip),
  deflate: promisify(unzip),
  br: promisify(brotliDecompress),
};

/**
 * A body that is larger than the limit, as it was sent or once decoded, stays unchecked.
 * @param mediaTypes those that the contract declares; none for a response without a body.
 */
export async function readResponseBody(
  response: ForwardedResponse,
  mediaTypes: readonly string[],
  limitBytes: number,
): Promise<ResponseBody> {
  const { headers, body, error } = response;
  const headerOf = (name: string) => (headers[name] ?? []).join(",").toLowerCase();
  if (error) return invalid(`ended early: ${error.message}`);
  if (body.length === 0) return mediaTypes.length === 0 ? { value: undefined } : invalid("is missing");
  const mediaType = headerOf("content-type").split(";")[0]?.trim() ?? "";
  const expected = mediaTypes.length === 0 ? ["application/json"] : mediaTypes;
  if (!expected.some((range) => isOfMediaType(range, mediaType)))
    return invalid(`must be ${expected.join(" or ")}, is ${mediaType || "missing"}`, "header.content-type");
  if (body.length > limitBytes) return { unchecked: `the body is larger than ${limitBytes} bytes` };
  const coding = headerOf("content-encoding").trim();
  const decode = DECODERS[coding];
  if (!decode) return { unchecked: `the content coding ${coding} is not supported` };
  try {
    const bytes = await decode(body, { maxOutputLength: limitBytes });
    return isJson(mediaType) ? parse(bytes) : { value: bytes.toString() };
  } catch (error) {
    const isLarge = (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE";
    return isLarge
      ? { unchecked: `the body is larger than ${limitBytes} bytes once decoded` }
      : invalid(`is not valid ${coding}`);
  }
}

function parse(bytes: Buffer): ResponseBody {
  if (!isUtf8(bytes)) return invalid("is not UTF-8");
  if (isDeep(bytes)) return { unchecked: `the body is nested deeper than ${MAX_DEPTH} levels` };
  try {
    return { value: JSON.parse(bytes.toString()) };
  } catch (error) {
    const place = /at position \d+/.exec((error as Error).message); // the rest may quote the text, and with it a key
    return invalid(place ? `is not valid JSON (${place[0]})` : "is not valid JSON");
  }
}

/** Before it is parsed: millions of levels take hundreds of megabytes, and what walks them runs out of stack. */
const MAX_DEPTH = 200;

function isDeep(bytes: Buffer): boolean {
  let [depth, isText] = [0, false];
  for (let index = 0; index < bytes.length; index += 1) {
    const character = bytes[index];
    if (isText && character === BACKSLASH) index += 1;
    else if (character === QUOTE) isText = !isText;
    else if (!isText && (character === OPEN_LIST || character === OPEN_OBJECT)) depth += 1;
    else if (!isText && (character === CLOSE_LIST || character === CLOSE_OBJECT)) depth -= 1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = Buffer.from('"\\[]{}');

function invalid(message: string, location = "body"): ResponseBody {
  return { violation: { location, message } };
}
