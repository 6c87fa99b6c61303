// The body of a request, as the Express server's parser reads it: JSON in UTF-8, perhaps compressed (D-50, D-52, D-53).
import { BODY_ERRORS } from "../api/body-errors.js";
import { LIMITS } from "../api/limits.js";

/** Undefined where there is none. @throws RequestError */
export async function readBody(request: Request): Promise<unknown> {
  const sent = await request.arrayBuffer();
  if (request.body === null) return undefined;
  const type = request.headers.get("content-type");
  const [mediaType = "", ...parameters] = (type ?? "").split(";");
  if (mediaType.trim().toLowerCase() !== "application/json") {
    if (sent.byteLength === 0) return undefined;
    throw BODY_ERRORS.mediaType(type);
  }
  const charset = /^\s*charset="?([^"\s]*)/i;
  const [name = "utf-8"] = parameters.flatMap((parameter) => charset.exec(parameter)?.[1]?.toLowerCase() ?? []);
  if (!name.startsWith("utf-")) throw BODY_ERRORS.charset();
  const bytes = await decompress(sent, request.headers.get("content-encoding")?.toLowerCase() || "identity");
  if (bytes.byteLength > LIMITS.bodyBytes) throw BODY_ERRORS.tooLarge(LIMITS.bodyBytes);
  if (name !== "utf-8") throw BODY_ERRORS.otherUtf();
  if (bytes.byteLength === 0) return {}; // as body-parser reads it
  return parse(decode(bytes));
}

async function decompress(bytes: ArrayBuffer, encoding: string): Promise<ArrayBuffer> {
  if (encoding === "identity") return bytes;
  if (encoding !== "gzip" && encoding !== "deflate") throw BODY_ERRORS.encoding();
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream(encoding));
  return new Response(stream).arrayBuffer().catch(() => {
    throw BODY_ERRORS.undecodable();
  });
}

function decode(bytes: ArrayBuffer): string {
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
    throw BODY_ERRORS.notJson(error as Error);
  }
}
