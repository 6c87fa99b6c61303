// What shows a change: requests and responses that one contract allows and the other does not.
import { buildRequestSpec, formatCurl } from "../../../contract/request-spec.js";
import { type Content, codeBlock, columns, paragraph } from "../../../pages/report/blocks.js";
import type { Change, Counterexample } from "../changes/change.js";

/** Side by side what the old contract allows and the new one; a request that leads to both is shown once. */
export function buildCounterexamples(group: readonly Change[]): Content {
  const all = group.flatMap(({ counterexamples }) => selectShown(Object.values(counterexamples)));
  const shown = [...new Map(all.map((one) => [JSON.stringify(one), formatCounterexample(one)])).values()];
  const buildRequest = (curl: string) => codeBlock(curl, { language: "sh", label: "Request" });
  const [first, ...others] = shown;
  const isShared = others.length > 0 && others.every(({ curl }) => curl === first?.curl);
  const parts = shown.map(({ claim, curl, response, wrong }) => {
    const request = !isShared && buildRequest(curl);
    const body = response !== undefined && codeBlock(response, { language: "http", label: "Response", wrong });
    return [paragraph(claim), request, body];
  });
  return [isShared && first && buildRequest(first.curl), others.length > 0 ? columns(parts) : parts];
}

/** Of a request with two meanings, one is enough. */
function selectShown(all: readonly Counterexample[]): readonly Counterexample[] {
  return all.every(({ isStillAccepted }) => isStillAccepted) ? all.slice(0, 1) : all;
}

/** The reference server with its default settings, so that the lines can be pasted. */
const ORIGIN = "http://127.0.0.1:4010";
const KEY = "demo-key";
const MAX_PRETTY_LENGTH = 4000;

/** What a counterexample demonstrates, its request as curl, and its response if that is what breaks. */
export function formatCounterexample(counterexample: Counterexample) {
  const { operation, request, response, violation, allowedBy, isStillAccepted } = counterexample;
  const other = allowedBy === "old" ? "new" : "old";
  const difference = isStillAccepted ? `in the ${other} one it means something else` : `the ${other} one rejects it`;
  const claim = response
    ? `The ${allowedBy} contract allows this response, the ${other} one forbids it: ${violation}.`
    : `The ${allowedBy} contract accepts this request, ${difference}: ${violation}.`;
  const curl = formatCurl(buildRequestSpec(operation, request, KEY), ORIGIN);
  const [, place = "", reason = ""] = /^(body\.\S+) (.*)$/.exec(violation) ?? [];
  return { claim, curl, response: response && formatResponse(response), wrong: { [place]: reason } };
}

function formatResponse({ status, headers, body }: NonNullable<Counterexample["response"]>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = [`HTTP ${status}`, ...lines].join("\n");
  if (body === undefined) return head;
  const text = JSON.stringify(body, null, 2);
  // A long body is in one line, but complete, so that it can be checked.
  return `${head}\n\n${text.length > MAX_PRETTY_LENGTH ? JSON.stringify(body) : text}`;
}
