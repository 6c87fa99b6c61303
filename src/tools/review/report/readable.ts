// The review for people: a page, a comment on a pull request, and the terminal. Each says what changed, then the
// verdict, then the reasons.
import { basename, isAbsolute } from "node:path";
import { groupBy } from "../../../contract/lists.js";
import { plural } from "../../../contract/violation.js";
import {
  type Content,
  callout,
  code,
  details,
  heading,
  link,
  list,
  marked,
  paragraph,
  soft,
  table,
  tag,
  toned,
} from "../../../pages/report/blocks.js";
import { renderHtmlReport } from "../../../pages/report/render-html.js";
import { renderMarkdown } from "../../../pages/report/render-markdown.js";
import { renderTerminal } from "../../../pages/report/render-terminal.js";
import { byClass, type Change, placeOf } from "../changes/change.js";
import { isReworded } from "../find-reasons.js";
import type { Review } from "../review.js";
import {
  buildBar,
  buildChanges,
  buildTags,
  CHANGED,
  describedOf,
  findChangesOf,
  findEntry,
  nameOf,
} from "./changes.js";
import { buildSteps } from "./next-steps.js";
import { buildReasons } from "./reasons.js";
import {
  buildPlace,
  buildVerdict,
  findAnswered,
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
  const { title, version, path } = contract;
  const review = { ...others, contract: { ...contract, path: isAbsolute(path) ? basename(path) : path } };
  return renderHtmlReport({
    title: `${{ good: "Accept", warn: "Accepted with errors", bad: "Reject" }[toneOf(review)]}: ${formatCompared(review)}`,
    heading: `${title} ${version}`,
    about: `Review, ${review.date}`,
    content: [
      buildHead(review, [isCompared(review) && buildBar(review), buildChangeTable(review)], buildSteps(review)),
      buildReasons(review, "page"),
      review.contract.isReadable ? buildOtherChanges(review) : UNREADABLE,
    ],
    run: buildWarnings(review),
  });
}

/** `Notifications 2.1.0, compared with main (2.0.0)` */
function formatCompared({ contract, base }: Pick<Review, "contract" | "base">): string {
  const other = base ? `, compared with ${base.name} (${base.version})` : "";
  return `${contract.title} ${contract.version}${other}`;
}

/** The first screen: verdict, version, all that changed, and what to do about it. */
function buildHead(review: Review, changed: Content = buildSubjects(review), next?: Content): Content {
  const { base, contract, version } = review;
  return [
    callout(
      toneOf(review),
      buildVerdict(review),
      paragraph(
        code(contract.path),
        base
          ? [" compared with ", code(base.name), ` (version ${base.version}). `]
          : " compared with no other version. ",
        version && `${formatVersion(review)}.`,
      ),
    ),
    next,
    base && [heading(2, "What changed", CHANGED), changed],
  ];
}

const buildSubjects = (review: Review): Content =>
  list(findSubjects(review).map(({ name, text }) => marked(name ? `${name}: ${text}` : text)));

const MAX_ROWS = 12;
const MAX_TEXTS = 3;

/** A row for each place in messages, and for new words of what was decided; it leads to its reason or change. */
function buildChangeTable(review: Review): Content {
  const changes = byClass(review.changes).filter(({ id }) => id !== VERSION_CHANGE);
  if (changes.length === 0 || !isCompared(review)) return buildSubjects(review);
  const isOnlyText = (change: Change) => isEditorial(change) && !isReworded(change, review.decisions);
  const others = changes.filter((change) => !isOnlyText(change));
  const rows = groupBy(others, placeOf).map((group) => {
    const described = describedOf(group);
    const [{ places, side, operation = side === "text" ? "the contract" : "all operations" } = group[0]] = described;
    const name = link((side === "text" ? nameOf(group) : places[0]) ?? "", `#${findEntry(group, review)}`);
    const sentences = [...new Set(described.map(({ sentence }) => shorten(sentence)))];
    const place = [name, paragraph(soft(`${side} of ${operation}`))];
    return [place, marked(sentences.join(", ")), buildTags(group, review).map((one) => [one, " "])];
  });
  const show = (some: typeof rows) => table({ label: "What changed", columns: ["Place", "Change", "Effect"] }, some);
  const rest = rows.slice(MAX_ROWS);
  const texts = changes.filter(isOnlyText);
  return [
    rows.length > 0 && show(rows.slice(0, MAX_ROWS)),
    rest.length > 0 && details(`and ${plural(rest.length, "more place")}`, show(rest)),
    texts.length > 0 && buildTextLinks(texts),
    findAnswered(review).map((sentence) => paragraph(sentence)),
  ];
}

/** Each leads to its reason or change; of many, to the first. */
function buildTextLinks(texts: readonly Change[]): Content {
  const count = plural(texts.length, "text");
  const [first] = texts;
  if (first && texts.length > MAX_TEXTS) return paragraph(link(`${count} changed`, `#${first.id}`), ".");
  const links = texts.map((text, index) => [index > 0 && ", ", link(nameOf([text]) ?? "", `#${text.id}`)]);
  return paragraph(`${count} changed: `, links, ".");
}

/** The changes that are no reason to reject: a reason shows those at its place. */
function buildOtherChanges(review: Review): Content {
  const shown = [...review.reasons, ...review.allowed].flatMap((reason) => findChangesOf(reason, review));
  const others = review.changes.filter((change) => !shown.includes(change));
  if (!review.base || others.length === 0) return undefined;
  const title = shown.length > 0 ? "Other changes" : "Changes";
  return [heading(2, title, "changes"), buildChanges(others, review)];
}

const UNREADABLE = paragraph("Nothing else was checked: the contract cannot be read.");

function buildWarnings({ lint, contract }: Review): Content {
  const warnings = lint.filter(({ isError }) => !isError);
  if (warnings.length === 0) return undefined;
  return list(
    warnings.map(({ message, line }) => [
      tag("warning", "warn"),
      " ",
      marked(message),
      " ",
      buildPlace(contract.path, line),
    ]),
  );
}

/** A comment on a pull request. */
export function formatMarkdown(review: Review): string {
  const { contract } = review;
  return renderMarkdown([
    buildHead(review),
    buildReasons(review, "comment"),
    paragraph(`${contract.title} ${contract.version}`),
    contract.isReadable ? buildOtherChanges(review) : UNREADABLE,
    buildWarnings(review),
  ]);
}

export function formatTerminal(review: Review, isColoured: boolean): string {
  const { contract, base, version } = review;
  const content = [
    paragraph(toned(formatVerdict(review), toneOf(review)), "."),
    base && buildSubjects(review),
    paragraph(`${formatCompared(review)}.`),
    version && paragraph(`${formatVersion(review)}.`),
    !contract.isReadable && UNREADABLE,
    paragraph(" "),
    buildReasons(review, "terminal"),
    buildWarnings(review),
  ];
  return renderTerminal(content, { isColoured });
}
