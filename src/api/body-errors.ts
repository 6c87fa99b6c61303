// Why a body is rejected before the contract is asked (D-50, D-52, D-53).
import { RequestError } from "./errors.js";

export const BODY_ERRORS = {
  mediaType(contentType: string | null | undefined): RequestError {
    const what = contentType == null ? "The body has no Content-Type." : "The Content-Type is not supported.";
    return unsupported(`${what} Send "Content-Type: application/json".`);
  },
  encoding: () => unsupported("The content encoding is not supported. Send gzip, deflate, br or none."),
  charset: () => unsupported("The charset is not supported. Send the body in UTF-8."),
  otherUtf: () => unsupported("Only UTF-8 is supported. Send the body in UTF-8."),
  tooLarge: (limit: number) =>
    new RequestError(
      "contentTooLarge",
      `The body is larger than ${limit.toLocaleString("en")} bytes. Send a smaller one.`,
    ),
  notUtf8: () => new RequestError("undecodable", "The body is not valid UTF-8. Encode it as UTF-8."),
  notJson: (error: Error) => new RequestError("undecodable", `The body is not valid JSON: ${toParserText(error)}`),
  undecodable: () => new RequestError("undecodable", "The path or body cannot be decoded. Check its encoding."),
};

function unsupported(message: string): RequestError {
  return new RequestError("unsupportedMediaType", message);
}

/** The same text on every Node: later ones add line and column to the position. */
function toParserText({ message }: Error): string {
  return message.replace(/ \(line \d+ column \d+\)$/, "");
}
