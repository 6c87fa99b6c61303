// A response of the API before it is sent, and the headers that all of them have.
import { isJson } from "../../contract/media-type.js";

export interface HttpResponse {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** A value to send as JSON, or a text of another media type; undefined for no body. */
  body: unknown;
  /** Default: `JSON_TYPE`. If it is set, the response has the form of the served contract, and is not adapted. */
  mediaType?: string;
}

export const JSON_TYPE = "application/json; charset=utf-8"; // D-68

/**
 * The headers of every response of the API: a browser that opens one runs nothing of it on this server's origin, which
 * may use the control plane. A mocked `text/html` is whatever a proposal says.
 */
export function protectionOf(mediaType: string): Record<string, string> {
  const nosniff = { "X-Content-Type-Options": "nosniff" };
  return isJson(mediaType) ? nosniff : { ...nosniff, "Content-Security-Policy": "sandbox" };
}
