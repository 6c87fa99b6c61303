// The changes by class, each with its clauses, decisions and counterexamples.
import { buildRequestSpec, formatCurl } from "../../../contract/request-spec.js";
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
import { clauseAnchorOf, findClauseTitle } from "../../../pages/shell/source-document.js";
import { CHANGE_CLASSES, type Change, type ChangeClass, type Counterexample } from "../changes/change.js";
import type { Review } from "../review.js";
import { buildReach } from "./consumer-blocks.js";
import { buildPlace, countOf } from "./summary.js";

const CLASSES: Readonly<Record<ChangeClass, { label: string; tone: Tone }>> = {
  breaking: { label: "breaking for clients", tone: "bad" },
  undecided: { label: "not decided", tone: "warn" },
  compatible: { label: "compatible for clients", tone: "good" },
  editorial: { label: "editorial", tone: "soft" },
  equivalent: { label: "written differently, with the same meaning", tone: "soft" },
};

/** The changes of each class, folded unless they may break clients. */
export function buildChanges(review: Review): Content {
  const { changes } = review;
  return CHANGE_CLASSES.map((kind) => {
    const some = changes.filter((change) => change.class === kind);
    if (some.length === 0) return undefined;
    const title = `${some.length} ${CLASSES[kind].label}`;
    const content = some.map((change) => buildChange(change, review));
    const isOpen = kind === "breaking" || kind === "undecided";
    return isOpen ? [heading(3, title), content] : details(title, content);
  });
}

const SIDES = { request: "in requests", response: "in responses", text: "in the text" };

function toneOf({ class: kind, breaks }: Change): Tone {
  return kind === "compatible" && breaks.length > 0 ? "warn" : CLASSES[kind].tone;
}

function buildTags(change: Change): Content {
  const { class: kind, breaks, undecided } = change;
  const sides = [
    ...breaks.map((name) => `breaks ${name}`),
    ...Object.keys(undecided).map((name) => `not decided for ${name}`),
  ];
  const texts = sides.length > 0 ? sides : [CLASSES[kind].label];
  return texts.map((text) => [tag(text, text === "breaks implementations" ? "warn" : toneOf(change)), " "]);
}

function buildChange(change: Change, review: Review): Content {
  const { id, places, sentence, side } = change;
  const [first = ""] = places;
  return entry(
    {
      tone: toneOf(change),
      id,
      title: [buildTags(change), code(first), " ", marked(sentence), " ", soft(SIDES[side])],
    },
    buildReach(review, id),
    buildChangeDetails(change, review),
  );
}

/** Where a change stands in both files, what it rests on, and what shows it. */
export function buildChangeDetails(change: Change, review: Review): Content {
  const { contract, base } = review;
  const { places, before, after, diff, undecided, restsOn } = change;
  const [, ...others] = places;
  const clauses = restsOn.filter((name) => name.startsWith("§"));
  const lines = [base && buildPlace(base.name, before), buildPlace(contract.path, after)].filter(
    (line) => line !== undefined,
  );
  return [
    others.length > 0 && details(`and in ${countOf(others, "more place")}`, paragraph(code(others.join(", ")))),
    paragraph(
      lines.map((line, index) => [index > 0 && " → ", line]),
      clauses.length > 0 && soft("; rests on"),
      clauses.map((clause) => [" ", link(clause, `#${clauseAnchorOf(clause)}`, findClauseTitle(clause))]),
    ),
    diff !== undefined && codeBlock(diff, { language: "diff", label: "Lines of both files" }),
    buildDecisions(change, review),
    Object.entries(undecided).map(([name, reason]) => paragraph(toned(`Not decided for ${name}: ${reason}.`, "warn"))),
    buildCounterexamples(change),
  ];
}

function buildDecisions({ restsOn }: Change, { decisions }: Review): Content {
  const all = decisions.decisions.filter(({ id }) => restsOn.includes(id));
  const lines = all.map(({ id, question, answer }) => [
    link(id, `#decision-${id}`),
    ": ",
    marked(question),
    " ",
    marked(answer),
  ]);
  return lines.length > 0 && details(`Rests on ${all.map(({ id }) => id).join(", ")}`, list(lines));
}

/** A counterexample of both sides is shown once. */
function buildCounterexamples({ counterexamples }: Change): Content {
  const all = Object.values(counterexamples).map(formatCounterexample);
  const distinct = new Map(all.map((text) => [JSON.stringify(text), text])).values();
  return [...distinct].map(({ claim, curl, response }) => [
    paragraph(claim),
    codeBlock(curl, { language: "sh", label: "Request" }),
    response !== undefined && codeBlock(response, { language: "http", label: "Response" }),
  ]);
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
  return { claim, curl, response: response && formatResponse(response) };
}

function formatResponse({ status, headers, body }: NonNullable<Counterexample["response"]>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = [`HTTP ${status}`, ...lines].join("\n");
  if (body === undefined) return head;
  const text = JSON.stringify(body, null, 2);
  // A long body is in one line, but complete, so that it can be checked.
  return `${head}\n\n${text.length > MAX_PRETTY_LENGTH ? JSON.stringify(body) : text}`;
}
