// A witness as text: the request as curl, what it demonstrates, and the response where that is what breaks.
import { toCurl, toRequestSpec } from "../../client/request-spec.js";
import { groupBy } from "../../report/group-by.js";
import type { Change, Witness } from "../changes/change.js";

export interface WitnessText {
  claim: string;
  /** undefined where no witness was found. */
  curl?: string;
  response?: string;
}

/** The reference server with its default settings: the lines can be pasted. */
const ORIGIN = "http://127.0.0.1:4010";
const KEY = "demo-key";
const MAX_PRETTY_LENGTH = 4000;

/** A witness for each side that a change breaks; one that shows both only once. */
export function toWitnessTexts({ breaks, witnesses }: Change): WitnessText[] {
  const all = breaks.map((name): WitnessText & { name: string } => {
    const witness = witnesses[name];
    const text = witness ? toWitnessText(witness) : { claim: `No witness was found for ${name}: check it yourself.` };
    return { ...text, name };
  });
  const groups = groupBy(all, ({ name: _, ...text }) => JSON.stringify(text));
  return groups.map(([{ name, ...text }]) =>
    groups.length > 1 && text.curl !== undefined ? { ...text, claim: `For ${name}: ${text.claim}` } : text,
  );
}

export function toWitnessText(witness: Witness): WitnessText {
  const { operation, request, response, violation, allowedBy, isStillAccepted, origin = ORIGIN } = witness;
  const curl = toCurl(toRequestSpec(operation, request, KEY), origin);
  const other = allowedBy === "old" ? "new" : "old";
  if (response) {
    const claim = `The ${allowedBy} contract allows this response, the ${other} one forbids it: ${violation}.`;
    return { curl, claim, response: toResponseText(response) };
  }
  const difference = isStillAccepted ? "in the new one it means something else" : `the ${other} one rejects it`;
  return { curl, claim: `The ${allowedBy} contract accepts this request, ${difference}: ${violation}.` };
}

function toResponseText({ status, headers, body }: NonNullable<Witness["response"]>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = `HTTP ${status}\n${lines.join("\n")}`;
  if (body === undefined) return head;
  const text = JSON.stringify(body, null, 2);
  // Whole, so that it can be checked: a long one in a line.
  return `${head}\n\n${text.length > MAX_PRETTY_LENGTH ? JSON.stringify(body) : text}`;
}
