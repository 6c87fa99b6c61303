// The changes by class, breaking ones first, each with what it rests on, and its counterexample.
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
import type { Review } from "../review.js";
import { toReach } from "./consumer-blocks.js";
import { countOf, toPlace } from "./summary.js";

/** The name of each class, the heaviest first. */
const CLASSES: readonly (readonly [ChangeClass, label: string, Tone])[] = [
  ["breaking", "breaking for clients", "bad"],
  ["undecided", "not decided", "warn"],
  ["compatible", "compatible for clients", "good"],
  ["editorial", "editorial", "soft"],
  ["equivalent", "written differently, with the same meaning", "soft"],
];

/** The changes of each class that there is, folded where they concern nobody. */
export function toChanges(review: Review): Content {
  const { changes } = review;
  if (changes.length === 0) return paragraph("None.");
  return CLASSES.map(([kind, label]) => {
    const some = changes.filter((change) => change.class === kind);
    if (some.length === 0) return undefined;
    const [title, content] = [`${some.length} ${label}`, some.map((change) => toChange(change, review))];
    const isOpen = kind === "breaking" || kind === "undecided";
    return isOpen ? [heading(3, title), content] : details(title, content);
  });
}

const SIDES = { request: "in requests", response: "in responses", text: "in the text" };

/** A change that breaks implementations is a reason to reject, so it never has the tone of a compatible one. */
function toneOf({ class: kind, breaks }: Change): Tone {
  const [, , tone = "soft"] = CLASSES.find(([name]) => name === kind) ?? [];
  return kind === "compatible" && breaks.length > 0 ? "warn" : tone;
}

function toTags(change: Change): Content {
  const { class: kind, breaks, undecided } = change;
  const open = Object.keys(undecided).map((name) => `not decided for ${name}`);
  const all =
    breaks.length + open.length > 0
      ? [...breaks.map((name) => `breaks ${name}`), ...open]
      : [CLASSES.find(([name]) => name === kind)?.[1] ?? kind];
  return all.map((text) => [tag(text, text === "breaks implementations" ? "warn" : toneOf(change)), " "]);
}

function toChange(change: Change, review: Review): Content {
  const { contract, base } = review;
  const { id, places, sentence, side, before, after, undecided, restsOn } = change;
  const [first = "", ...others] = places;
  const clauses = restsOn.filter((name) => name.startsWith("§"));
  const lines = [base && toPlace(base.name, before), toPlace(contract.path, after)].filter(
    (line) => line !== undefined,
  );
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

function toDecisions({ restsOn }: Change, { decisions }: Review): Content {
  const all = decisions.decisions.filter(({ id }) => restsOn.includes(id));
  const lines = all.map(({ id, question, answer }) => [
    ...[link(id, `#decision-${id}`), ": ", marked(question), " ", marked(answer)],
  ]);
  return lines.length > 0 && details(`Rests on ${all.map(({ id }) => id).join(", ")}`, list(lines));
}

/** One that shows both sides only once. */
function toCounterexamples({ counterexamples }: Change): Content {
  const all = Object.values(counterexamples).map(toCounterexampleText);
  const distinct = new Map(all.map((text) => [JSON.stringify(text), text])).values();
  return [...distinct].map(({ claim, curl, response }) => [
    paragraph(claim),
    codeBlock(curl, { language: "sh", label: "Request" }),
    response !== undefined && codeBlock(response, { language: "http", label: "Response" }),
  ]);
}

/** A counterexample as text: the request as curl, what it demonstrates, and the response where that is what breaks. */
interface CounterexampleText {
  claim: string;
  curl: string;
  response?: string;
}

/** The reference server with its default settings: the lines can be pasted. */
const ORIGIN = "http://127.0.0.1:4010";
const KEY = "demo-key";
const MAX_PRETTY_LENGTH = 4000;

export function toCounterexampleText(counterexample: Counterexample): CounterexampleText {
  const { operation, request, response, violation, allowedBy, isStillAccepted } = counterexample;
  const curl = toCurl(toRequestSpec(operation, request, KEY), ORIGIN);
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
