// What a preference means that has no effect. An unknown preference is ignored (RFC 7240 §2), so only the log, the
// console and the client can say that it is misspelled.
import { suggestName } from "../options.js";

const OURS = ["code", "example", "delay"];
const REGISTERED = /^(respond-async|return|wait|handling|safe)$/; // RFC 7240 §4, RFC 8674: meant for others
const STATUS = /^(status|status[-_]?code|http[-_]?code)$/;

/** Undefined if the header has no unknown preference. */
export function explainPrefer(header: string): string | undefined {
  for (const part of header.split(",")) {
    const [name = "", value = ""] = part.split("=").map((text) => text.trim());
    const preference = name.toLowerCase();
    if (name === "" || OURS.includes(preference) || REGISTERED.test(preference)) continue;
    const hint =
      STATUS.test(preference) && value
        ? `Did you mean code=${value}?`
        : suggestName(preference, OURS).replaceAll("`", "");
    return `Prefer: ${name} is not known. ${hint}`;
  }
  return undefined;
}
