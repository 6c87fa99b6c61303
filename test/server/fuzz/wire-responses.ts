// Responses as bytes on a connection, told apart as a strict client does it.

export interface WireResponse {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  text: string;
}

/**
 * All responses of a connection.
 * @param isHead the response may end with its headers. (The rejection of what is not HTTP has a body all the same.)
 * @throws Error where a byte does not belong to a response.
 */
export function readResponses(bytes: Buffer, isHead: boolean): WireResponse[] {
  const responses: WireResponse[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf("\r\n\r\n", at);
    const [line = "", ...fields] = bytes.toString("latin1", at, end === -1 ? undefined : end).split("\r\n");
    const [, code] = /^HTTP\/1\.1 (\d{3}) [ -~]*$/.exec(line) ?? [];
    if (code === undefined || end === -1) throw new Error(`no response begins with ${JSON.stringify(line)}`);
    const status = Number(code);
    at = end + 4;
    if (status < 200) continue;
    const headers = toHeaders(fields);
    const isBodiless = status === 204 || (isHead && at === bytes.length);
    const isChunked = headers["transfer-encoding"] === "chunked" && !isBodiless; // an exported environment
    const length = isBodiless ? 0 : Number(headers["content-length"]);
    const body = isChunked ? readChunks(bytes, at) : { bytes: bytes.subarray(at, at + length), end: at + length };
    if (!(body.end <= bytes.length)) throw new Error(`the response is shorter than it says: ${line}`);
    responses.push({ status, headers, text: body.bytes.toString("utf8") });
    at = body.end;
  }
  return responses;
}

/** The body of chunks that begins at `start` (RFC 9112 §7.1), and where it ends. */
function readChunks(bytes: Buffer, start: number): { bytes: Buffer; end: number } {
  const chunks: Buffer[] = [];
  for (let at = start; ; ) {
    const [head = "", size = ""] = /^([\da-f]+)\r\n/.exec(bytes.toString("latin1", at, at + 20)) ?? [];
    const length = Number.parseInt(size, 16);
    const end = at + head.length + length;
    if (head === "" || bytes.toString("latin1", end, end + 2) !== "\r\n") throw new Error(`no chunk is at byte ${at}`);
    if (length === 0) return { bytes: Buffer.concat(chunks), end: end + 2 };
    chunks.push(bytes.subarray(at + head.length, end));
    at = end + 2;
  }
}

function toHeaders(fields: string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const field of fields) {
    const [, name = "", value = ""] = /^([!#$%&'*+.^_`|~\w-]+): ([\t -~\x80-\xff]*)$/.exec(field) ?? [];
    if (name === "") throw new Error(`no header is ${JSON.stringify(field)}`);
    headers[name.toLowerCase()] = value;
  }
  return headers;
}
