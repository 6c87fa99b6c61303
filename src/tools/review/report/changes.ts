// The changes, operation by operation: breaking first, each with what it rests on, and its counterexample.
import { toCurl, toRequestSpec } from "../../../contract/request-spec.js";
import { toClauseAnchor, toClauseTitle } from "../../../pages/docs/source-document.js";
import {
  type Content,
  code,
  codeBlock,
  details,
  entry,
  heading,
  link,
  list,
  marked,
  paragraph,
  soft,
  type Tone,
  tag,
  toned,
} from "../../../pages/report/blocks.js";
import type { Change, ChangeClass, Counterexample } from "../changes/change.js";
import type { ReviewedDecision } from "../decision-review.js";
import type { Review } from "../review.js";
import { toReach } from "./consumer-blocks.js";
import { countOf, toPlace } from "./summary.js";

/** The name of each class, the heaviest first. */
export const CLASSES: readonly (readonly [ChangeClass, label: string, Tone])[] = [
  ["breaking", "breaking for clients", "bad"],
  ["undecided", "not decided", "warn"],
  ["compatible", "compatible for clients", "good"],
  ["editorial", "editorial", "soft"],
  ["equivalent", "written differently, with the same meaning", "soft"],
];

export function toChanges(review: Review): Content {
  const { changes } = review;
  const operations = [...new Set(changes.map(({ operation }) => operation))].toSorted((a, b) =>
    (a ?? "~").localeCompare(b ?? "~"),
  );
  return [changes.length === 0 && paragraph("None."), operations.map((operation) => toOperation(operation, review))];
}

function toOperation(operation: string | undefined, review: Review): Content {
  const own = review.changes.filter((change) => change.operation === operation);
  const groups = CLASSES.map(([kind, label]) => ({ label, some: own.filter((change) => change.class === kind) }));
  const isMinor = (change: Change) => change.class === "editorial" || change.class === "equivalent";
  const minor = own.filter(isMinor);
  const toContent = (change: Change) => toChange(change, review);
  return [
    heading(3, operation ?? "Shared components and texts", `changes-${operation ?? "shared"}`),
    paragraph(soft(groups.flatMap(({ label, some }) => (some.length > 0 ? `${some.length} ${label}` : [])).join(", "))),
    groups.map(({ some }) => some.filter((change) => !isMinor(change)).map(toContent)),
    minor.length > 0 && details(countOf(minor, "editorial change"), minor.map(toContent)),
  ];
}

const SIDES = { request: "in requests", response: "in responses", text: "in the text" };

/** A change that breaks implementations is a reason to reject, so it never has the tone of a compatible one. */
function toneOf({ class: kind, breaks }: Change): Tone {
  const [, , tone = "soft"] = CLASSES.find(([name]) => name === kind) ?? [];
  return kind === "compatible" && breaks.length > 0 ? "warn" : tone;
}

const KINDS: Partial<Record<ChangeClass, string>> = {
  ...{ compatible: "compatible for clients and implementations", equivalent: "means the same" },
};

function toTags(change: Change): Content {
  const { class: kind, breaks, undecided } = change;
  const open = Object.keys(undecided).map((name) => `not decided for ${name}`);
  const all =
    breaks.length + open.length > 0 ? [...breaks.map((name) => `breaks ${name}`), ...open] : [KINDS[kind] ?? kind];
  return all.map((text) => [tag(text, text === "breaks implementations" ? "warn" : toneOf(change)), " "]);
}

export function toChange(change: Change, review: Review): Content {
  const { contract, base } = review;
  const { id, places, sentence, side, before, after, undecided, restsOn } = change;
  const [first = "", ...others] = places;
  const clauses = restsOn.filter((name) => name.startsWith("§"));
  const ofBase = base && { ...contract, path: base.name, link: base.link };
  const lines = [ofBase && toPlace(ofBase, before), toPlace(contract, after)].filter((line) => line !== undefined);
  return entry(
    { tone: toneOf(change), id, title: [toTags(change), code(first), " ", marked(sentence), " ", soft(SIDES[side])] },
    others.length > 0 && details(`and in ${countOf(others, "more place")}`, paragraph(code(others.join(", ")))),
    paragraph(
      lines.map((line, index) => [index > 0 && " → ", line]),
      clauses.length > 0 && soft("; rests on"),
      clauses.map((clause) => [" ", link(clause, `#${toClauseAnchor(clause)}`, toClauseTitle(clause))]),
    ),
    toDecisions(change, review),
    Object.entries(undecided).map(([name, reason]) => paragraph(toned(`Not decided for ${name}: ${reason}.`, "warn"))),
    toReach(review, id),
    toCounterexamples(change),
  );
}

/** A decision that speaks of the very member or parameter is quoted with its answer, the others fold. */
function toDecisions({ restsOn, places: [place = ""] }: Change, { decisions }: Review): Content {
  const all = decisions.decisions.filter(({ id }) => restsOn.includes(id));
  const name = place.split(/[.[\] ]+/).findLast((part) => part !== "") ?? "";
  const isAbout = ({ question, answer }: ReviewedDecision) =>
    `${question} ${answer}`.split(/[^\w-]+/).some((word) => word.toLowerCase() === name.toLowerCase());
  const others = all.filter((decision) => !isAbout(decision));
  const toLine = ({ id, question, answer }: ReviewedDecision): Content => {
    return [link(id, `#decision-${id}`), ": ", marked(question), " ", marked(answer)];
  };
  return [
    all.filter(isAbout).map((decision) => paragraph(toLine(decision))),
    others.length > 0 && details(`Rests on ${others.map(({ id }) => id).join(", ")}`, list(others.map(toLine))),
  ];
}

function toCounterexamples(change: Change): Content {
  return toCounterexampleTexts(change).map(({ claim, curl, response }) => [
    paragraph(curl === undefined ? toned(claim, "warn") : claim),
    curl !== undefined && codeBlock(curl, { language: "sh", label: "Request" }),
    response !== undefined && codeBlock(response, { language: "http", label: "Response" }),
  ]);
}

/** A counterexample as text: the request as curl, what it demonstrates, and the response where that is what breaks. */
interface CounterexampleText {
  claim: string;
  /** undefined where no counterexample was found. */
  curl?: string;
  response?: string;
}

/** The reference server with its default settings: the lines can be pasted. */
const ORIGIN = "http://127.0.0.1:4010";
const KEY = "demo-key";
const MAX_PRETTY_LENGTH = 4000;

/** A counterexample for each side that a change breaks; one that shows both only once. */
export function toCounterexampleTexts({ breaks, counterexamples }: Change): CounterexampleText[] {
  const all = breaks.map((name): CounterexampleText & { name: string } => {
    const one = counterexamples[name];
    return one ? { name, ...toCounterexampleText(one) } : { name, claim: `No counterexample was found for ${name}.` };
  });
  const [first, second] = all;
  if (!first || !second) return all;
  if (first.claim === second.claim && first.curl === second.curl && first.response === second.response) return [first];
  return all.map((text) => ({ ...text, claim: `For ${text.name}: ${text.claim}` }));
}

export function toCounterexampleText(counterexample: Counterexample): CounterexampleText {
  const { operation, request, response, violation, allowedBy, isStillAccepted, origin = ORIGIN } = counterexample;
  const curl = toCurl(toRequestSpec(operation, request, KEY), origin);
  const other = allowedBy === "old" ? "new" : "old";
  if (response) {
    const claim = `The ${allowedBy} contract allows this response, the ${other} one forbids it: ${violation}.`;
    return { curl, claim, response: toResponseText(response) };
  }
  const difference = isStillAccepted ? "in the new one it means something else" : `the ${other} one rejects it`;
  return { curl, claim: `The ${allowedBy} contract accepts this request, ${difference}: ${violation}.` };
}

function toResponseText({ status, headers, body }: NonNullable<Counterexample["response"]>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = `HTTP ${status}\n${lines.join("\n")}`;
  if (body === undefined) return head;
  const text = JSON.stringify(body, null, 2);
  // Whole, so that it can be checked: a long one in a line.
  return `${head}\n\n${text.length > MAX_PRETTY_LENGTH ? JSON.stringify(body) : text}`;
}
