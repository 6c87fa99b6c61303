// The review for people: a page, a comment on a pull request, and the terminal. Each says what changed, then the
// verdict, then the reasons.
import { basename } from "node:path";
import { groupBy, mapDefined } from "../../../contract/lists.js";
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
  numbered,
  paragraph,
  soft,
  table,
  toned,
} from "../../../pages/report/blocks.js";
import { renderHtmlReport } from "../../../pages/report/render-html.js";
import { renderMarkdown } from "../../../pages/report/render-markdown.js";
import { renderTerminal } from "../../../pages/report/render-terminal.js";
import { renderSourceDocument } from "../../../pages/shell/source-document.js";
import { byClass, type Change, placeOf } from "../changes/change.js";
import type { RejectionReason } from "../find-reasons.js";
import type { Review } from "../review.js";
import { buildBar, buildChanges, buildDetails, buildTags, buildTitle, CHANGED, describedOf } from "./changes.js";
import { buildConsumers, buildReach } from "./consumer-blocks.js";
import { buildDecision, buildFindings, buildSections, summarize } from "./sections.js";
import {
  buildPlace,
  findAnswered,
  findDuties,
  findSubjects,
  formatVerdict,
  formatVersion,
  isCompared,
  isEditorial,
  shorten,
  toneOf,
  VERSION_CHANGE,
} from "./summary.js";

/** One page that loads nothing, readable on paper and with a screen reader. */
export function formatHtml({ contract, ...others }: Review): string {
  const { title, version } = contract;
  const review = { ...others, contract: { ...contract, path: basename(contract.path) } };
  return renderHtmlReport({
    title: `${review.verdict === "accept" ? "Accept" : "Reject"}: review of ${title} ${version}`,
    heading: `${title} ${version}`,
    about: `Review, ${review.date}`,
    content: [
      buildHead(review, buildChangeTable(review), isCompared(review) && buildBar(review.changes)),
      buildReasons(review, "page"),
      review.contract.isReadable ? buildOtherChanges(review) : paragraph(summarize(review)),
      review.consumers && [heading(2, "Consumers", "consumers"), buildConsumers(review)],
      review.contract.isReadable && [
        buildSections(review),
        details("What the clauses say", embedded(renderSourceDocument(3)), { level: 2, id: "source" }),
      ],
      HOW_TO_READ,
    ],
  });
}

/** The first screen: verdict, version, all that changed, and what implementers have to do. */
function buildHead(review: Review, changed = buildSubjects(review), counts?: Content): Content {
  const { base, version, changes } = review;
  const duties = findDuties(changes);
  return [
    callout(
      toneOf(review),
      formatVerdict(review),
      counts,
      paragraph(
        base ? ["Compared with ", code(base.name), ` (version ${base.version}). `] : "Compared with no other version. ",
        version && `${formatVersion(review)}.`,
      ),
    ),
    base && [heading(2, "What changed", CHANGED), changed],
    duties.length > 0 && [heading(3, "What implementers have to do"), list(duties.map(marked))],
  ];
}

const buildSubjects = (review: Review): Content =>
  list(findSubjects(review).map(({ name, text }) => marked(name ? `${name}: ${text}` : text)));

const MAX_ROWS = 12;

/** A row for each place in messages, which leads to its reason or change; texts and decisions are counted. */
function buildChangeTable(review: Review): Content {
  const changes = byClass(review.changes).filter((change) => !isEditorial(change));
  if (changes.length === 0 || !isCompared(review)) return buildSubjects(review);
  const rows = groupBy(changes, placeOf).map((group) => {
    const described = describedOf(group);
    const [{ id, places, operation = "all operations", side } = group[0]] = described;
    const reason = review.reasons.find((one) => findChangesOf(one, review).some((change) => group.includes(change)));
    const name = link(places[0] ?? "", `#${reason?.id ?? id}`);
    const sentences = [...new Set(described.map(({ sentence }) => shorten(sentence)))];
    const place = [name, paragraph(soft(`${side} of ${operation}`))];
    return [place, marked(sentences.join(", ")), buildTags(group).map((one) => [one, " "])];
  });
  const show = (some: typeof rows) => table({ label: "What changed", columns: ["Place", "Change", "Effect"] }, some);
  const rest = rows.slice(MAX_ROWS);
  const texts = review.changes.filter((change) => isEditorial(change) && change.id !== VERSION_CHANGE);
  return [
    show(rows.slice(0, MAX_ROWS)),
    rest.length > 0 && details(`and ${plural(rest.length, "more place")}`, show(rest)),
    texts.length > 0 && paragraph(plural(texts.length, "text"), " changed."),
    findAnswered(review).map((sentence) => paragraph(sentence)),
  ];
}

/** A page numbers the reasons, and has the option that accepts each beneath it; a terminal shows no details. */
type Format = "page" | "comment" | "terminal";

function buildReasons(review: Review, format: Format): Content {
  const { reasons, allowed, changes } = review;
  const options = format === "page" ? [] : mapDefined(reasons, formatOption);
  return [
    reasons.length > 0 &&
      format !== "terminal" &&
      heading(2, "Reasons to reject", "reasons", { listed: { name: "Reasons to reject", count: reasons.length } }),
    reasons.map((reason, index) => buildReason(reason, review, { format, number: index + 1 })),
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

const formatOption = ({ id, isFinal }: RejectionReason) => (isFinal ? undefined : `--allow '${id}=justification'`);

/** A reason with its effects and the changes at its place; the head has the sentence of a change. */
function buildReason(
  reason: RejectionReason,
  review: Review,
  { format, number }: { format: Format; number: number },
): Content {
  const { id, message, why, line, more = [], follows = [], isFinal } = reason;
  const own = findChangesOf(reason, review);
  const others = follows.filter((effect) => !own.some((change) => change.id === effect.id));
  const isText = own.some(({ side }) => side === "text");
  const isShown = own.length > 0 && format !== "terminal";
  const option = format === "page" ? formatOption(reason) : undefined;
  return entry(
    {
      tone: "bad",
      title: [
        format === "page" && numbered(number),
        line !== undefined && !isShown && [buildPlace(review.contract.path, line), ": "],
        isShown || (own.length > 0 && !isText) ? buildTitle(own) : marked(message),
      ],
      id: own.length > 0 ? id : `reason ${id}`, // a decision has the id of its own section
      listed: { name: nameOf(own) ?? message.replaceAll("`", ""), number },
    },
    !isShown && more.length > 0 && paragraph(`And ${plural(more.length, "more place")}: ${formatShortList(more)}`),
    why !== undefined && own.length > 0 && (isShown || !isText) && paragraph(why),
    isShown ? buildDetails(own, review) : buildReach(review, id),
    isShown && isText && more.length > 0 && details(`and ${plural(more.length, "more text")}`, list(more.map(marked))),
    buildEffects(others, review, format),
    isFinal && paragraph("It cannot be accepted: the review could not judge the contract."),
    option !== undefined &&
      details("To accept it", codeBlock(option, { language: "sh", label: `To accept reason ${number}` })),
  );
}

/** On the page, many are folded: the next reason is read first. */
function buildEffects(effects: readonly RejectionReason[], review: Review, format: Format): Content {
  if (effects.length === 0) return undefined;
  const title = `What follows from it (${effects.length})`;
  const lines = list(effects.map((effect) => buildLine(effect, review)));
  return format === "page" && effects.length > SHOWN ? details(title, lines) : [paragraph(`${title}:`), lines];
}

/** In a line: `executionDetails[].source`. */
function nameOf([change]: readonly Change[]): string | undefined {
  return change?.places[0]
    ?.split(/(?<=[^.])\.(?=[^.])| › /)
    .slice(-2)
    .join(".");
}

/** The changes at the place of a reason; none if it is no change. */
function findChangesOf({ id }: RejectionReason, { changes }: Review): Change[] {
  const place = changes.filter((one) => one.id === id).map(placeOf);
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
    buildReasons(review, "comment"),
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
    buildReasons(review, "terminal"),
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
  paragraph(
    "Requests are for a reference server at its usual address: ",
    code("npx notifications-contract serve"),
    ".",
  ),
]);
