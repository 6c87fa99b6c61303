// The sections of a report to look up: decisions, clauses, examples and lint.
import { plural } from "../../../contract/violation.js";
import {
  type Content,
  code,
  details,
  heading,
  link,
  list,
  marked,
  paragraph,
  type Span,
  soft,
  type Tone,
  table,
  tag,
  toned,
} from "../../../pages/report/blocks.js";
import { decisionFacts } from "../../../pages/shell/contract-view.js";
import type { ReviewedDecision } from "../decision-review.js";
import type { ExampleReview } from "../example-review.js";
import type { RejectionReason } from "../find-reasons.js";
import { OWN_RULES } from "../lint/ruleset.js";
import type { Review } from "../review.js";
import { type ClauseTrace, findGap } from "../trace.js";
import { buildPlace, joinNames } from "./summary.js";

/** A section to look up, what it counts, and what needs a look in it. */
interface Section {
  id: "decisions" | "clauses" | "examples" | "lint";
  name: string;
  all: string;
  /** Empty if nothing does. */
  open: string;
  build(review: Review): Content;
}

function findSections({ base, decisions, trace, examples, lint }: Review): Section[] {
  const ofStatus = (status: string) => decisions.decisions.filter((decision) => decision.status === status).length;
  const examplesOf = (...kinds: string[]) => examples.filter(({ outcome }) => kinds.includes(outcome)).length;
  const [errors, warnings] = [true, false].map((isError) => lint.filter((one) => one.isError === isError).length);
  const decided = formatCounts({
    new: ofStatus("new"),
    changed: ofStatus("changed"),
    removed: decisions.removed.length,
  });
  const all = `${decisions.decisions.length}${base && decided === "" ? ", unchanged" : ""}`;
  const note = trace.some(({ tests }) => tests) ? "" : " (the tests are not part of this package)";
  const gaps = formatCounts({ "with a gap": trace.filter((clause) => findGap(clause)).length });
  const correct = formatCounts({
    correct: examplesOf("matched", "accepted"),
    "not replayed": examplesOf("unreplayed"),
  });
  const found = [errors && plural(errors, "error"), warnings && plural(warnings, "warning")].filter(Boolean).join(", ");
  return [
    { id: "decisions", name: "Decisions", all, open: decided, build: buildDecisions },
    { id: "clauses", name: "Clauses of the document", all: `${trace.length}${note}`, open: gaps, build: buildTrace },
    {
      id: "examples",
      name: "Examples",
      all: correct || "none",
      open: formatCounts({ wrong: examplesOf("failed") }),
      build: buildExamples,
    },
    { id: "lint", name: "Lint", all: "no violations", open: found, build: buildLint },
  ];
}

/** Each with a badge: what needs a look, or else what it counts. */
export function buildSections(review: Review): Content {
  return findSections(review).map(({ id, name, all, open, build }) => {
    const reasons = formatReasonsOf(id, review);
    const badge = open === "" ? tag(all) : tag(open + reasons, id === "decisions" || reasons !== "" ? "warn" : "bad");
    const [count] = (open || all).split(/,| \(/);
    return details([name, " ", badge], build(review), { level: 2, id, listed: { name, count } });
  });
}

/** `, by reasons 1 and 2`, if all that is wrong in a section follows from these, or from accepted ones. */
function formatReasonsOf(section: string, { reasons, allowed }: Review): string {
  const kind = { examples: "example:", lint: "lint:" }[section];
  const isOf = ({ id }: RejectionReason) => kind !== undefined && id.startsWith(kind);
  const causes = [...reasons.entries()].filter(([, { follows = [] }]) => follows.some(isOf));
  const isAccepted = allowed.some((reason) => [reason, ...(reason.follows ?? [])].some(isOf));
  if (reasons.some(isOf)) return "";
  if (causes.length === 0) return isAccepted ? ", accepted" : "";
  const numbers = joinNames(causes.map(([index]) => String(index + 1)));
  return `, ${isAccepted ? "accepted, or " : ""}by ${causes.length === 1 ? "reason" : "reasons"} ${numbers}`;
}

/** The sections in a line, of formats that do not have them all. */
export function summarize(review: Review): string {
  if (!review.contract.isReadable) return "Nothing else was checked: the contract cannot be read.";
  const counts = findSections(review).map(({ name, all, open }) => `${name}: ${open || all}`);
  return counts.join(" · ");
}

/** `2 new, 1 removed`: without what there is none of. */
function formatCounts(counts: Readonly<Record<string, number>>): string {
  const entries = Object.entries(counts).filter(([, count]) => count > 0);
  return entries.map(([name, count]) => `${count} ${name}`).join(", ");
}

/** Folds unchanged decisions. */
function buildDecisions({ contract, decisions: { decisions, removed } }: Review): Content {
  const unchanged = decisions.filter(({ status }) => status === "unchanged");
  const others = decisions.filter(({ status }) => status !== "unchanged");
  const buildContent = (decision: ReviewedDecision) => buildDecision(decision, contract);
  return [
    paragraph(
      "What the document leaves open, and how it is settled. The basis is the document itself, the public facts of the live ",
      "service, a standard, or judgement, in this order.",
    ),
    removed.length > 0 && paragraph(tag("removed", "warn"), removed.join(", ")),
    others.map(buildContent),
    unchanged.length > 0 && details(plural(unchanged.length, "unchanged decision"), unchanged.map(buildContent)),
  ];
}

export function buildDecision(decision: ReviewedDecision, contract: Review["contract"]): Content {
  const { id, line, status, before, question, answer } = decision;
  return [
    heading(3, [`${id} `, marked(question), status !== "unchanged" && [" ", tag(status, "warn")]], `decision-${id}`),
    buildParagraphs(answer),
    before &&
      details("Before", [
        paragraph(marked(before.question)),
        buildParagraphs(before.answer),
        paragraph(soft(decisionFacts(before))),
      ]),
    paragraph(soft(`${decisionFacts(decision)}; `), buildPlace(contract.path, line)),
  ];
}

function buildParagraphs(text: string): Content {
  return text
    .trim()
    .split(/\n\s*\n/)
    .map((part) => paragraph(marked(part)));
}

/** The number of items of a list that are not folded. */
const SHOWN = 3;

function buildTrace({ trace }: Review): Content {
  const columns = ["Clause", "Places in the contract", "Decisions", "Tests"];
  return [
    paragraph("Each clause of the document, where the contract states it, and what verifies it."),
    table({ label: "Clauses", columns }, trace.map(buildClauseRow)),
  ];
}

function buildClauseRow(clause: ClauseTrace) {
  const { id, summary, places, decisions, tests } = clause;
  const none = toned("none", "bad");
  return {
    id: `clause-${id}`,
    cells: [
      [paragraph(id), paragraph(soft(summary)), findGap(clause) && tag("gap", "bad")],
      shorten(
        places.map(({ name, line }) => [code(name), " ", soft(`line ${line}`)]),
        none,
      ),
      decisions.map((name) => [link(name, `#decision-${name}`), " "]),
      shorten((tests ?? []).map(code), tests ? none : soft("not in this package")),
    ],
  };
}

function shorten(items: readonly Content[], fallback?: Span): Content {
  const lines = items.map((item) => paragraph(item));
  if (lines.length === 0) return fallback;
  const rest = lines.slice(SHOWN);
  return [lines.slice(0, SHOWN), rest.length > 0 && details(`${rest.length} more`, rest)];
}

const OUTCOMES: Record<ExampleReview["outcome"], { tone: Tone; text: string }> = {
  matched: { tone: "good", text: "replayed: the server returns exactly this" },
  accepted: { tone: "good", text: "valid: the server accepts it" },
  unreplayed: { tone: "warn", text: "valid, but not replayed: the server cannot serve it" },
  failed: { tone: "bad", text: "wrong" },
};

function buildExamples({ examples }: Review): Content {
  const sorted = examples.toSorted((a, b) => Number(b.outcome === "failed") - Number(a.outcome === "failed"));
  return [
    paragraph(
      "Each example is checked by its schema. Responses are replayed on the reference server with its demo data: in a separate ",
      "environment and, where the example needs it, with a slow or full disk or an error.",
    ),
    table(
      { label: "Examples", columns: ["Example", "Summary", "Outcome"] },
      sorted.map(({ title, summary, line, outcome, errors, note }) => [
        [paragraph(title), paragraph(soft(`line ${line}`))],
        marked(summary ?? ""),
        [
          toned(note ? `not replayed: ${note}` : OUTCOMES[outcome].text, OUTCOMES[outcome].tone),
          errors.map(({ text }) => paragraph(marked(text))),
        ],
      ]),
    ),
  ];
}

function buildLint({ lint, rules, contract }: Review): Content {
  return [
    paragraph(
      `Spectral's rules for OpenAPI, its OWASP rules for security, and ${Object.keys(OWN_RULES).length} of our own.`,
    ),
    lint.length === 0 && paragraph(toned("No violations.", "good")),
    buildFindings(lint, contract),
    heading(3, "Rules that are off"),
    buildRules(rules.off),
    heading(3, "Narrowed rules"),
    buildRules(rules.narrowed),
  ];
}

export function buildFindings(lint: Review["lint"], { path }: Review["contract"]): Content {
  return list(
    lint.map(({ isError, message, rule, line }) => [
      isError ? tag("error", "bad") : tag("warning", "warn"),
      " ",
      marked(message),
      " ",
      soft(`${rule}; `),
      buildPlace(path, line),
    ]),
  );
}

function buildRules(rules: Readonly<Record<string, string>>): Content {
  return list(Object.entries(rules).map(([name, text]) => [code(name), ": ", marked(text)]));
}
