// What shows a change: a request or response that one contract allows and the other does not. A request is a curl line;
// a response is cut to the changed member and its parents.
import { isObject } from "../../../contract/json.js";
import { buildRequestSpec, formatCurl } from "../../../contract/request.js";
import { type Content, codeBlock, paragraph } from "../../../pages/report/blocks.js";
import type { Change, Counterexample } from "../changes/change.js";

/** @param limit the number that is shown */
export function buildCounterexamples(group: readonly Change[], limit: number): Content {
  const all = group.flatMap(({ counterexamples: { clients, implementations } }) => {
    // Of a request with two meanings, one is enough.
    return clients?.isStillAccepted ? clients : [clients ?? [], implementations ?? []].flat();
  });
  const shown = [...new Map(all.map((one) => [JSON.stringify(one), formatCounterexample(one)])).values()];
  return shown
    .slice(0, limit)
    .map(({ claim, curl, response, wrong }) => [
      paragraph(claim),
      response === undefined
        ? codeBlock(curl, { language: "sh", label: "Request" })
        : codeBlock(response, { language: "http", label: "Response", wrong }),
    ]);
}

/** The reference server with its default settings, so that the lines can be pasted. */
const ORIGIN = "http://127.0.0.1:4010";
const KEY = "demo-key";

/** What a counterexample shows, its request as curl, and the part of its response if that is what breaks. */
export function formatCounterexample(counterexample: Counterexample) {
  const { operation, request, response, violation, allowedBy, isStillAccepted, path = [] } = counterexample;
  const other = allowedBy === "old" ? "new" : "old";
  const difference = isStillAccepted ? `in the ${other} one it means something else` : `the ${other} one rejects it`;
  const claim = response
    ? `The ${allowedBy} contract allows this response, the ${other} one forbids it: ${violation}.`
    : `The ${allowedBy} contract accepts this request, ${difference}: ${violation}.`;
  const curl = formatCurl(buildRequestSpec(operation, request, KEY), ORIGIN);
  const [, place = "", reason = ""] = /^(body\.\S+) (.*)$/.exec(violation) ?? [];
  const wrong = { [place.replaceAll(/\.\d+(?=\.|$)/g, ".0")]: reason };
  return { claim, curl, response: response && formatResponse(response, path), wrong };
}

/** The status, and the header, the media type or the member that the path leads to. */
function formatResponse(
  { status, headers, body }: NonNullable<Counterexample["response"]>,
  [, part, name = "", ...steps]: readonly string[],
): string {
  const head = `HTTP ${status}`;
  if (part === "header") return name in headers ? `${head}\n${name}: ${headers[name]}` : head;
  if (part !== "body" || body === undefined) return head;
  const type = `${head}\ncontent-type: ${headers["content-type"]}`;
  return steps.length === 0 && !isContainer(body) ? type : `${type}\n\n${JSON.stringify(cutTo(body, steps), null, 2)}`;
}

const isContainer = (value: unknown) => typeof value === "object" && value !== null;

/** The value with nothing in it but the member at the path; the whole object if it lacks the member. */
function cutTo(value: unknown, [step, ...below]: readonly string[]): unknown {
  if (step === undefined) return outline(value);
  if (Array.isArray(value)) return step in value ? [cutTo(value[Number(step)], below)] : outline(value);
  return isObject(value) && Object.hasOwn(value, step) ? { [step]: cutTo(value[step], below) } : outline(value);
}

/** Objects and lists of such a length are shown with what is in them. */
const MAX_LENGTH = 60;
const MAX_ITEMS = 2;

function outline(value: unknown): unknown {
  const cutBody = (part: unknown) => (isContainer(part) && JSON.stringify(part).length > MAX_LENGTH ? "…" : part);
  if (Array.isArray(value)) {
    const rest = value.length - MAX_ITEMS;
    return [...value.slice(0, MAX_ITEMS).map(cutBody), ...(rest > 0 ? [`… ${rest} more`] : [])];
  }
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, part]) => [name, cutBody(part)]))
    : value;
}
