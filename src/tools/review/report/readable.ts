// The review for people: a page, a comment on a pull request, and the terminal. Each says what changed, then the
// verdict, then the reasons.
import { mapDefined } from "../../../contract/lists.js";
import { plural } from "../../../contract/violation.js";
import {
  type Content,
  callout,
  code,
  codeBlock,
  details,
  embedded,
  entry,
  heading,
  link,
  list,
  marked,
  paragraph,
  toned,
} from "../../../pages/report/blocks.js";
import { renderHtmlReport } from "../../../pages/report/render-html.js";
import { renderMarkdown } from "../../../pages/report/render-markdown.js";
import { renderTerminal } from "../../../pages/report/render-terminal.js";
import { renderSourceDocument } from "../../../pages/shell/source-document.js";
import { byClass, type Change, placeOf } from "../changes/change.js";
import type { RejectionReason } from "../find-reasons.js";
import type { Review } from "../review.js";
import { buildChanges, buildDetails, buildTitle } from "./changes.js";
import { buildConsumers, buildReach } from "./consumer-blocks.js";
import { buildDecision, buildFindings, buildSections, summarize } from "./sections.js";
import { buildPlace, findDuties, findSubjects, formatVerdict, formatVersion, toneOf } from "./summary.js";

/** One page that loads nothing, readable on paper and with a screen reader. */
export function formatHtml(review: Review): string {
  const { title, version } = review.contract;
  return renderHtmlReport({
    title: `${review.verdict === "accept" ? "Accept" : "Reject"}: review of ${title} ${version}`,
    heading: `${title} ${version}`,
    about: `Review, ${review.date}`,
    content: [
      buildHead(review),
      buildReasons(review),
      review.contract.isReadable ? buildOtherChanges(review) : paragraph(summarize(review)),
      HOW_TO_READ,
      review.consumers && [heading(2, "Consumers", "consumers"), buildConsumers(review)],
      review.contract.isReadable && [
        buildSections(review),
        details("What the clauses say", embedded(renderSourceDocument(3)), { level: 2, id: "source" }),
      ],
    ],
  });
}

/** The first screen: verdict, version, all that changed, and what implementers have to do. */
function buildHead(review: Review): Content {
  const { base, version, changes } = review;
  const duties = findDuties(changes);
  return [
    callout(
      toneOf(review),
      formatVerdict(review),
      paragraph(
        base ? ["Compared with ", code(base.name), ` (version ${base.version}). `] : "Compared with no other version. ",
        version && `${formatVersion(review)}.`,
      ),
    ),
    base && [heading(2, "What changed", "what-changed"), buildSubjects(review)],
    duties.length > 0 && [heading(3, "What implementers have to do"), list(duties.map(marked))],
  ];
}

/** What changed; its name leads to the reason that it is. */
function buildSubjects(review: Review): Content {
  return list(
    findSubjects(review).map(({ name, text, changes }) => {
      const reason = review.reasons.find(({ id }) => changes.some((change) => change.id === id));
      if (!name || !reason) return marked(name ? `${name}: ${text}` : text);
      const isOwn = findChangesOf(reason, review).length > 0;
      return [link(name, `#${isOwn ? "" : "reason "}${reason.id}`), marked(`: ${text}`)];
    }),
  );
}

/** Each reason with its effects, and the changes at its place; the options that accept all reasons come last. */
function buildReasons(review: Review, isShort = false): Content {
  const { reasons, allowed, changes } = review;
  const options = mapDefined(reasons, ({ id, isFinal }) => (isFinal ? undefined : `--allow '${id}=justification'`));
  return [
    reasons.length > 0 && !isShort && heading(2, "Reasons to reject", "reasons"),
    reasons.map((reason) => buildReason(reason, review, isShort)),
    options.length > 0 && [
      paragraph("To accept, with the reason why:"),
      codeBlock(options.join(" \\\n"), { language: "sh", label: "Options that accept the reasons" }),
    ],
    allowed.map(({ id, message, justification }) => {
      const isStated = changes.some((change) => change.id === id);
      const title = `${id} is allowed: ${justification}`;
      return entry({ tone: "warn", title }, !isStated && paragraph(marked(message)));
    }),
  ];
}

/** A reason that is a change has its details, but not its sentence, which the head has. */
function buildReason(reason: RejectionReason, review: Review, isShort: boolean): Content {
  const { id, message, why, line, more = [], follows = [], isFinal } = reason;
  const own = findChangesOf(reason, review);
  const others = follows.filter((effect) => !own.some((change) => change.id === effect.id));
  const isShown = own.length > 0 && !isShort;
  return entry(
    {
      tone: "bad",
      title: [
        line !== undefined && !isShown && [buildPlace(review.contract.path, line), ": "],
        own.length > 0 ? buildTitle(own) : marked(message),
      ],
      id: own.length > 0 ? id : `reason ${id}`, // a decision has the id of its own section
    },
    !isShown && more.length > 0 && paragraph(`And ${plural(more.length, "more place")}: ${formatShortList(more)}`),
    why !== undefined && own.length > 0 && paragraph(why),
    isShown ? buildDetails(own, review) : buildReach(review, id),
    others.length > 0 && paragraph(`What follows from it (${others.length}):`),
    list(others.map((other) => buildLine(other, review))),
    isFinal && paragraph("It cannot be accepted: the review could not judge the contract."),
  );
}

/** The changes at the place of a reason; none if it is of a text, or no change. */
function findChangesOf({ id }: RejectionReason, { changes }: Review): Change[] {
  const place = changes.filter((one) => one.id === id && one.side !== "text").map(placeOf);
  return byClass(changes.filter((one) => place.includes(placeOf(one))));
}

function buildLine({ message, line, more = [] }: RejectionReason, { contract: { path } }: Review): Content {
  const rest = more.length > 0 && ` (and ${plural(more.length, "more place")})`;
  return [line !== undefined && [buildPlace(path, line), ": "], marked(message), rest];
}

const SHOWN = 3;

function formatShortList(texts: readonly string[]): string {
  return [...texts.slice(0, SHOWN), ...(texts.length > SHOWN ? ["…"] : [])].join("; ");
}

/** The changes that are no reason to reject: a reason shows those at its place. */
function buildOtherChanges(review: Review): Content {
  const shown = review.reasons.flatMap((reason) => [reason.id, ...findChangesOf(reason, review).map(({ id }) => id)]);
  const others = review.changes.filter(({ id }) => !shown.includes(id));
  if (!review.base || others.length === 0) return undefined;
  const title = review.reasons.length > 0 ? "Other changes" : "Changes";
  return [heading(2, title, "changes"), buildChanges(others, review)];
}

/** A comment on a pull request. Gaps of the trace, wrong examples and lint errors are among the reasons. */
export function formatMarkdown(review: Review): string {
  const { contract, decisions, lint, consumers } = review;
  const changed = decisions.decisions.filter(({ status }) => status !== "unchanged");
  const warnings = lint.filter(({ isError }) => !isError);
  return renderMarkdown([
    buildHead(review),
    buildReasons(review),
    paragraph(`${contract.title} ${contract.version}`),
    paragraph(summarize(review)),
    consumers && details(`Consumers (${consumers.recorded.length})`, buildConsumers(review)),
    contract.isReadable && buildOtherChanges(review),
    changed.length > 0 &&
      details(
        `Decisions: new, changed, overdue (${changed.length})`,
        changed.map((decision) => buildDecision(decision, contract)),
      ),
    warnings.length > 0 && details(`Lint: warnings (${warnings.length})`, buildFindings(warnings, contract)),
  ]);
}

export function formatTerminal(review: Review, isColoured: boolean): string {
  const { contract, base, version, lint } = review;
  const warnings = lint.filter(({ isError }) => !isError);
  const content = [
    paragraph(toned(formatVerdict(review), toneOf(review)), "."),
    base && buildSubjects(review),
    paragraph(`${contract.title} ${contract.version}`, base && `, compared with ${base.name} (${base.version}).`),
    version && paragraph(`${formatVersion(review)}.`),
    paragraph(summarize(review)),
    paragraph(""),
    buildReasons(review, true),
    buildFindings(warnings, contract),
  ];
  return renderTerminal(content, { isColoured });
}

const HOW_TO_READ = details("How to read this page", [
  paragraph(
    "A change is breaking when a client that followed the old contract can fail under the new one: a request that was accepted ",
    "is rejected, or a response is returned that was impossible before. It breaks implementations when a server that followed ",
    "the old contract can violate the new one. A counterexample is such a request or response, checked by both contracts. §4.2 is ",
    "a clause of the document that the contract is based on; D-07 is a decision on what the document leaves open.",
  ),
]);
