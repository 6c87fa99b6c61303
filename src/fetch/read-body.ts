// The body of a request, as the Express server's parser reads it: JSON in UTF-8, perhaps compressed (D-50, D-52, D-53).
import { BODY_ERRORS } from "../api/errors.js";
import { LIMITS } from "../api/limits.js";

/** Undefined where there is none. @throws RequestError */
export async function readBody({ headers, body }: Request, sent: ArrayBuffer): Promise<unknown> {
  if (body === null) return undefined;
  const type = headers.get("content-type");
  const [mediaType = "", ...parameters] = (type ?? "").toLowerCase().split(";");
  if (mediaType.trim() !== "application/json") {
    if (sent.byteLength === 0) return undefined;
    throw BODY_ERRORS.mediaType(type);
  }
  const [charset = "utf-8"] = parameters.flatMap((parameter) => /^\s*charset="?([^"\s]*)/.exec(parameter)?.[1] ?? []);
  if (!charset.startsWith("utf-")) throw BODY_ERRORS.charset();
  const bytes = await decompress(sent, headers.get("content-encoding")?.toLowerCase() || "identity");
  if (bytes.byteLength > LIMITS.bodyBytes) throw BODY_ERRORS.tooLarge(LIMITS.bodyBytes);
  if (charset !== "utf-8") throw BODY_ERRORS.otherUtf();
  if (bytes.byteLength === 0) return {}; // as body-parser reads it
  return parse(bytes);
}

async function decompress(bytes: ArrayBuffer, encoding: string): Promise<ArrayBuffer> {
  if (encoding === "identity") return bytes;
  if (encoding !== "gzip" && encoding !== "deflate") throw BODY_ERRORS.encoding();
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream(encoding));
  return new Response(stream).arrayBuffer().catch(() => {
    throw BODY_ERRORS.undecodable();
  });
}

function parse(bytes: ArrayBuffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    throw error instanceof SyntaxError ? BODY_ERRORS.notJson(error) : BODY_ERRORS.notUtf8(); // a TypeError
  }
}
