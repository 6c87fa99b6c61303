// What a failure shows in the page: expected beside received, and the body with the place that is wrong.
import { type Content, code, codeBlock, pairs, paragraph, wrongStatus } from "../../../pages/report/blocks.js";
import type { Failure } from "../case.js";
import type { ReceivedText } from "../expectation.js";

/** Expected beside received, and the body with the place that is wrong; not what the title of the cause says. */
export function buildDifference(
  { code: kind, title, sentence, what, expected, actual, received, status, violation }: Failure,
  shown: string,
): Content {
  if (kind === "no response") return undefined;
  const body = (wrong: Readonly<Record<string, string>>) => buildReceived(received, wrong);
  if (status) return [wrongStatus(status.actual, `expected ${status.expected.join(" or ")}`), body({})];
  if (violation) {
    const { location, message } = violation;
    if (location === "status" && received) return [wrongStatus(received.status, message), body({})];
    const isShown = shown.endsWith(`${message}.`);
    return [!isShown && paragraph(code(location), ` ${message}`), body({ [location]: message })];
  }
  const [wanted, got] = [expected, actual].map((value) => (typeof value === "string" ? value : JSON.stringify(value)));
  return [
    title === undefined ? !shown.includes(what) && paragraph(code(what)) : sentence !== shown && paragraph(sentence),
    buildExpected(wanted ?? "nothing", got ?? "nothing"),
    body({ [what]: `expected ${wanted ?? "nothing"}` }),
  ];
}

function buildExpected(expected: string, received: string): Content {
  const show = (label: string, text: string) =>
    /^[[{]/.test(text) ? codeBlock(text, { language: "json", label }) : code(text);
  return pairs([
    ["Expected", show("Expected", expected)],
    ["Received", show("Received", received)],
  ]);
}

/** The body of a response, with the places that are wrong. */
export function buildReceived(
  received: ReceivedText | undefined,
  wrong: Readonly<Record<string, string>> = {},
): Content {
  if (received === undefined || received.body === "") return undefined;
  return codeBlock(received.body, { language: "json", label: `Received body, status ${received.status}`, wrong });
}
