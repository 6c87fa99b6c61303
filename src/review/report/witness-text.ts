// A witness as text: the request as curl, what it shows, and the answer where that is what breaks.
import type { Witness } from "../changes/change.js";
import { toCurl, toWireRequest } from "../wire-request.js";

export interface WitnessText {
  curl: string;
  claim: string;
  answer: string | undefined;
}

/** The reference server as it starts by default: the lines can be pasted. */
const ORIGIN = "http://127.0.0.1:4010";
const KEY = "demo-key";
const LONGEST_ANSWER = 4000;

export function toWitnessText({
  operation,
  request,
  answer,
  objection,
  isStillAccepted,
  origin = ORIGIN,
}: Witness): WitnessText {
  const curl = toCurl(toWireRequest(operation, request, KEY), origin);
  if (!answer)
    return {
      curl,
      claim: isStillAccepted
        ? `The old contract accepts this request; by the new one it means something else: ${objection}.`
        : `The old contract accepts this request, the new one does not: ${objection}.`,
      answer: undefined,
    };
  const headers = Object.entries(answer.headers).map(([name, value]) => `${name}: ${value}`);
  const text = `HTTP ${answer.status}\n${headers.join("\n")}\n\n${JSON.stringify(answer.body, null, 2)}`;
  const claim = `The new contract allows this answer, the old one forbids it: ${objection}.`;
  return { curl, claim, answer: text.length > LONGEST_ANSWER ? `${text.slice(0, LONGEST_ANSWER)}\n…` : text };
}
