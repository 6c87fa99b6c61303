// The value of a JSON body as it was sent: content codings decoded, UTF-8 and JSON parsed strictly.
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate, inflateRaw } from "node:zlib";

type Decode = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

const INFLATE: Decode = promisify(inflate);
const INFLATE_RAW: Decode = promisify(inflateRaw);
const DECODERS: Readonly<Record<string, Decode>> = {
  identity: async (bytes) => bytes,
  gzip: promisify(gunzip),
  "x-gzip": promisify(gunzip),
  // Some servers leave out the zlib header that "deflate" stands for (RFC 9110 §8.4.1.2).
  deflate: (bytes, options) => INFLATE(bytes, options).catch(() => INFLATE_RAW(bytes, options)),
  br: promisify(brotliDecompress),
};

/** `invalid` and `unchecked` say why. */
export type DecodedBody = { value: unknown } | { invalid: string } | { unchecked: string };

/** `contentEncoding` is the header's value. A body that is larger than the limit once decoded stays unchecked. */
export async function decodeBody(bytes: Buffer, contentEncoding: string, limitBytes: number): Promise<DecodedBody> {
  const codings = contentEncoding.split(",").map((coding) => coding.trim().toLowerCase());
  let decoded = bytes;
  for (const coding of codings.filter((coding) => coding !== "").reverse()) {
    const decode = DECODERS[coding];
    if (!decode) return { unchecked: `the content coding ${coding} is not supported` };
    try {
      decoded = await decode(decoded, { maxOutputLength: limitBytes });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ERR_BUFFER_TOO_LARGE")
        return { invalid: `is not valid ${coding}` };
      return { unchecked: `the body is larger than ${limitBytes} bytes once decoded` };
    }
  }
  return parse(decoded);
}

function parse(bytes: Buffer): DecodedBody {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return { invalid: "is not UTF-8" };
  }
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { invalid: toJsonMessage(error as Error) };
  }
}

/** What is wrong with a JSON text. The parser's own message may quote the text, and with it a key. */
export function toJsonMessage({ message }: Error): string {
  const place = /at position \d+/.exec(message);
  return place ? `is not valid JSON (${place[0]})` : "is not valid JSON";
}
