// Content codings of responses. `verify` and the proxy judge a response as its reader does.
import { promisify } from "node:util";
import { brotliDecompress, unzip } from "node:zlib";

type Decode = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

const DECODERS: Readonly<Record<string, Decode>> = {
  identity: async (bytes) => bytes,
  gzip: promisify(unzip),
  "x-gzip": promisify(unzip),
  deflate: promisify(unzip),
  br: promisify(brotliDecompress),
};

/** undefined for a coding that is not supported. */
export function findDecoder(contentEncoding = ""): Decode | undefined {
  return DECODERS[contentEncoding.trim().toLowerCase() || "identity"];
}
