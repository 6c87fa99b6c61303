// Which headers are forwarded: all of them, in their order and case, except those of one connection (RFC 9110 §7.6.1).
// No Via is added: servers such as nginx respond differently to it, and this proxy only observes.
import { toHeaderPairs } from "../http/raw-headers.js";

const HOP_BY_HOP = new Set(["connection", "keep-alive", "proxy-connection", "te", "upgrade"]);

// A Connection header that names one of these would change what the message says or where it ends.
const NEVER_NAMED = new Set(["content-length", "transfer-encoding", "host", "authorization"]);

/** Methods whose requests Node sends without a body unless told otherwise. */
const BODILESS = new Set(["GET", "HEAD", "DELETE", "OPTIONS", "TRACE"]);

/**
 * The headers of a request for the upstream: names and values in turn, as in `rawHeaders`. `Host` names the upstream,
 * and Transfer-Encoding stays, as the body is framed anew in the same way.
 */
export function toUpstreamHeaders(method: string, raw: readonly string[], host: string): string[] {
  const has = (lowerCased: string) => raw.some((name, index) => index % 2 === 0 && is(name, lowerCased));
  const isChunked = has("transfer-encoding");
  const headers = keepEndToEnd(raw, { isChunked }).flatMap(([name, value]) => [name, is(name, "host") ? host : value]);
  if (!has("host")) headers.push("Host", host); // HTTP/1.0
  // Node would announce a chunked body; that there is none is said with a length (RFC 9110 §8.6).
  if (!isChunked && !has("content-length") && !BODILESS.has(method)) headers.push("Content-Length", "0");
  return headers;
}

/** The headers of a response for the client. `isChunked`: Node sends it in chunks and adds the header itself. */
export function toClientHeaders(raw: readonly string[], { isChunked }: { isChunked: boolean }): string[] {
  return keepEndToEnd(raw, { isChunked })
    .filter(([name]) => !is(name, "transfer-encoding"))
    .flat();
}

function keepEndToEnd(raw: readonly string[], { isChunked }: { isChunked: boolean }): [name: string, value: string][] {
  const pairs = toHeaderPairs(raw);
  const named = pairs
    .filter(([name]) => is(name, "connection"))
    .flatMap(([, value]) => value.split(",").map((option) => option.trim().toLowerCase()))
    .filter((option) => !NEVER_NAMED.has(option));
  const dropped = new Set([...HOP_BY_HOP, ...named, ...(isChunked ? [] : ["trailer"])]); // without chunks there are none
  return pairs.filter(([name]) => !dropped.has(name.toLowerCase()));
}

function is(name: string, lowerCased: string): boolean {
  return name.toLowerCase() === lowerCased;
}
