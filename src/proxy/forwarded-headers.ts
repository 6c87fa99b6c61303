// Which headers are forwarded: all of them, in their order and case, except those of one connection (RFC 9110 §7.6.1).
// No Via is added: servers such as nginx respond differently to it, and this proxy only observes.
import type { IncomingMessage } from "node:http";
import { toHeaderPairs } from "../http/redactor.js";

// Without Upgrade, the upstream stays at HTTP/1.1, as it may with it (RFC 9110 §7.8).
const HOP_BY_HOP = ["connection", "keep-alive", "proxy-connection", "te", "upgrade"];

// A Connection header that names one of these would change what the message says or where it ends.
const NEVER_NAMED = ["content-length", "transfer-encoding", "host", "authorization"];

/** Methods whose requests Node sends without a body unless told otherwise. */
const BODILESS = ["GET", "HEAD", "DELETE", "OPTIONS", "TRACE"];

/**
 * The headers of a request for the upstream: names and values in turn, as in `rawHeaders`. `Host` names the upstream,
 * and Transfer-Encoding stays, as the body is framed anew in the same way.
 */
export function toUpstreamHeaders({ method = "", rawHeaders, headers }: IncomingMessage, host: string): string[] {
  const isChunked = headers["transfer-encoding"] !== undefined;
  const forwarded = keepEndToEnd(rawHeaders, isChunked ? [] : ["trailer"]).flatMap(([name, value]) => [
    name,
    name.toLowerCase() === "host" ? host : value,
  ]);
  if (headers.host === undefined) forwarded.push("Host", host); // HTTP/1.0
  // Node would announce a chunked body; that there is none is said with a length (RFC 9110 §8.6).
  const isEmpty = !isChunked && headers["content-length"] === undefined;
  if (isEmpty && !BODILESS.includes(method)) forwarded.push("Content-Length", "0");
  return forwarded;
}

/** The headers of a response for the client. Node adds Transfer-Encoding itself where it sends chunks. */
export function toClientHeaders({ rawHeaders, headers }: IncomingMessage, request: IncomingMessage): string[] {
  const isSentInChunks =
    headers["transfer-encoding"] !== undefined && request.method !== "HEAD" && request.httpVersion === "1.1";
  const dropped = ["transfer-encoding", ...(isSentInChunks ? [] : ["trailer"])]; // without chunks there are no trailers
  return keepEndToEnd(rawHeaders, dropped).flat();
}

function keepEndToEnd(raw: readonly string[], dropped: readonly string[]): [name: string, value: string][] {
  const pairs = toHeaderPairs(raw);
  const names = pairs
    .filter(([name]) => name.toLowerCase() === "connection")
    .flatMap(([, value]) => value.split(",").map((option) => option.trim().toLowerCase()))
    .filter((option) => !NEVER_NAMED.includes(option));
  const all = new Set([...HOP_BY_HOP, ...names, ...dropped]);
  return pairs.filter(([name]) => !all.has(name.toLowerCase()));
}
