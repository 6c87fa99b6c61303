// The changes by place, each with whom it breaks, the lines of both files, and what shows it.
import { basename } from "node:path";
import { groupBy, mapDefined } from "../../../contract/lists.js";
import { buildRequestSpec, formatCurl } from "../../../contract/request-spec.js";
import { plural } from "../../../contract/violation.js";
import {
  type BarPart,
  bar,
  type Content,
  code,
  codeBlock,
  columns,
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
import { byClass, type Change, type ChangeClass, type Counterexample, placeOf } from "../changes/change.js";
import { withoutReason } from "../changes/change-words.js";
import { isReworded, type RejectionReason } from "../find-reasons.js";
import type { Review } from "../review.js";
import { buildReach } from "./consumer-blocks.js";
import { buildPlace, shorten } from "./summary.js";

type Kind = ChangeClass | "implementations" | "reworded";

/** The class of the changes at a place. Some are of a kind of their own: see `kindOf`. */
const KINDS = {
  breaking: { label: "breaking for clients", tone: "bad" },
  undecided: { label: "not decided", tone: "warn" },
  implementations: { label: "breaking for implementations, not for clients", tone: "warn" },
  reworded: { label: "wording of a decision", tone: "warn" },
  compatible: { label: "compatible", tone: "good" },
  editorial: { label: "editorial", tone: "soft" },
  equivalent: { label: "written differently, with the same meaning", tone: "soft" },
} as const satisfies Readonly<Record<Kind, { label: string; tone: Tone }>>;

type Group = readonly [Change, ...Change[]];

function kindOf(group: Group, { decisions }: Review): Kind {
  const [change] = group;
  if (isReworded(change, decisions)) return "reworded";
  const isHalf = change.class === "compatible" && group.some(({ breaks }) => breaks.length > 0);
  return isHalf ? "implementations" : change.class;
}

/** The changes of each place, by their kind; the heaviest kind first. */
function groupByKind(changes: readonly Change[], review: Review) {
  const groups = groupBy(byClass(changes), placeOf);
  return mapDefined(Object.entries(KINDS), ([kind, { label, tone }]) => {
    const own = groups.filter((group) => kindOf(group, review) === kind);
    return own.length > 0 ? { kind, label, tone, groups: own } : undefined;
  });
}

/** The id of the section that lists all changes. */
export const CHANGED = "what-changed";

/** The id of the section of accepted reasons. */
export const ACCEPTED = "accepted";

/** How many places have changes of each kind, and which break both sides; those of accepted reasons are one part. */
export function buildBar(review: Review): Content {
  const accepted = review.allowed.flatMap((reason) => findAllChangesOf(reason, review));
  const open = review.changes.filter((change) => !accepted.includes(change));
  const parts = groupByKind(open, review).flatMap(({ kind, label, tone, groups }): BarPart[] => {
    const broken = groups.filter((group) => group.some(({ breaks }) => breaks.includes("implementations")));
    const both = kind === "breaking" ? broken.length : 0;
    const name = "breaking for clients and implementations";
    return [
      { name, tone: "both", count: both, section: CHANGED },
      { name: label, tone, count: groups.length - both, section: CHANGED },
    ];
  });
  parts.push({ name: "accepted", tone: "good", count: groupBy(accepted, placeOf).length, section: ACCEPTED });
  return review.changes.length > 0 && bar("Changes", parts);
}

/** The changes at the place of a reason; none if it is no change. */
export function findChangesOf({ id }: RejectionReason, { changes }: Review): Change[] {
  const place = changes.filter((one) => one.id === id).map(placeOf);
  return byClass(changes.filter((one) => place.includes(placeOf(one))));
}

/** In a line: `executionDetails[].source`. */
export function nameOf([change]: readonly Change[]): string | undefined {
  return change?.places[0]
    ?.split(/(?<=[^.])\.(?=[^.])| › /)
    .slice(-2)
    .join(".");
}

/** The id of its entry; a decision has a section with its own. */
export function anchorOf(reason: RejectionReason, review: Review): string {
  return findChangesOf(reason, review).length > 0 ? reason.id : `reason ${reason.id}`;
}

/** True for a new member of a response, which breaks only clients that reject unknown members. */
export const isOnlyUnknown = ({ side, keyword, before, breaks }: Change) =>
  side === "response" && keyword === "properties" && before === undefined && breaks.includes("clients");

/** Those at its other places as well. */
export function findAllChangesOf(reason: RejectionReason, review: Review): Change[] {
  const others = review.changes.filter(({ id }) => reason.also?.includes(id));
  return [...findChangesOf(reason, review), ...others];
}

/** The changes by their kind, folded unless they may break clients. */
export function buildChanges(changes: readonly Change[], review: Review): Content {
  return groupByKind(changes, review).map(({ kind, label, tone, groups }) => {
    const title = `${groups.length} ${label}`;
    const content = groups.map((group) => {
      return entry({ tone, title: buildTitle(group, review), id: group[0].id }, buildDetails(group, review));
    });
    const isOpen = kind === "breaking" || kind === "undecided";
    return isOpen ? [heading(3, title), content] : details(title, content);
  });
}

const SIDES = { request: "requests", response: "responses", text: "text" };

/** Those that say what changed: of a renamed part, the change of its old name. */
export const describedOf = (group: readonly Change[]) => group.filter(({ renamedFrom }) => renamedFrom === undefined);

/** `query.limit maximum: 50 → 25`, the messages, and whom it breaks. A text is in the diff. */
export function buildTitle(group: readonly Change[], review: Review, isAccepted = false): Content {
  const described = describedOf(group);
  const [{ places: [place = ""] = [], side = "text", operation } = {}] = described;
  const sentences = side === "text" ? [] : unique(described.map(({ sentence }) => shorten(sentence)));
  const where = operation === undefined ? SIDES[side] : `${SIDES[side]} of ${operation}`;
  const said = [code(place), sentences.length > 0 && [" ", marked(sentences.join(", "))]];
  return [said, " · ", soft(where), buildTags(group, review, isAccepted).map((one) => [" · ", one])];
}

/** Whom changes break; it is no longer in colour where this is accepted. */
export function buildTags(group: readonly Change[], review: Review, isAccepted = false): Content[] {
  const tags = buildEffects(group, review);
  return isAccepted ? [...tags.map(({ text }) => tag(text)), tag("accepted", "good")] : tags;
}

function buildEffects(group: readonly Change[], review: Review) {
  const broken = unique(group.flatMap(({ breaks }) => breaks));
  const open = unique(group.flatMap(({ undecided }) => Object.keys(undecided)));
  if (broken.length === 0 && open.length === 0)
    return unique(group.map((change) => KINDS[kindOf([change], review)])).map(({ label, tone }) => tag(label, tone));
  return [
    broken.length > 0 && tag(`breaks ${broken.join(" and ")}`, broken.includes("clients") ? "bad" : "warn"),
    open.length > 0 && tag(`not decided for ${open.join(" and ")}`, "warn"),
  ].filter((one) => one !== false);
}

/** Where the changes of a place stand in both files, what they rest on, and what shows them. */
export function buildDetails(group: readonly Change[], review: Review, unchanged?: readonly string[]): Content {
  const { contract, base } = review;
  const diffs = unique(group.map(({ diff }) => diff));
  const others = [...new Set(group.flatMap(({ places }) => places.slice(1)))];
  const renamed = group.find(({ renamedFrom }) => renamedFrom !== undefined);
  const lines = describedOf(group).map(({ before, after = renamed?.after }) => {
    const both = [base && buildPlace(base.name, before), buildPlace(basename(contract.path), after)];
    return both.filter((line) => line !== undefined).map((line, index) => [index > 0 && " → ", line]);
  });
  return [
    unique(group.map(findMore)).map((text) => paragraph(marked(text))),
    unique(group.map(({ id }) => buildReach(review, id))),
    others.length > 0 && details(`and in ${plural(others.length, "more place")}`, paragraph(code(others.join(", ")))),
    diffs.length === 0 && paragraph(unique(lines).map((line, index) => [index > 0 && "; ", line])),
    diffs.map(buildDiff),
    unique(group.flatMap(({ undecided }) => Object.entries(undecided))).map(([name, reason]) => {
      return paragraph(toned(`Not decided for ${name}: ${reason}.`, "warn"));
    }),
    buildCounterexamples(group),
    buildBasis(group, review, unchanged),
  ];
}

/** The most lines of a diff that are shown at once, and the fewest worth folding. */
const SHOWN_LINES = 30;
const FOLDED_LINES = 8;

/** A long diff goes on where the reader asks for it. */
export function buildDiff(diff: string): Content {
  const lines = diff.split("\n");
  const isLong = lines.length >= SHOWN_LINES + FOLDED_LINES;
  const show = (some: readonly string[]) =>
    codeBlock(some.join("\n"), { language: "diff", label: "Lines of both files" });
  if (!isLong) return show(lines);
  const rest = lines.slice(SHOWN_LINES);
  return [show(lines.slice(0, SHOWN_LINES)), details(`${rest.length} more lines`, show(rest))];
}

/** What the title does not say: a text that has no diff, or the reason for a sentence. */
function findMore({ side, sentence, diff }: Change): string | undefined {
  if (side === "text") return diff === undefined ? sentence : undefined;
  const more = sentence.slice(withoutReason(sentence).length).replace(/^\. /, "");
  return more === "" ? undefined : `${more}.`;
}

/** Without repetitions and what is absent. */
function unique<T>(items: readonly (T | undefined)[]): T[] {
  const present = items.filter((item) => item !== undefined);
  return [...new Map(present.map((item) => [JSON.stringify(item), item])).values()];
}

/** The clauses and decisions that changes rest on, in one place. To judge words, one has to read them. */
function buildBasis(group: readonly Change[], { decisions }: Review, unchanged: readonly string[] = []): Content {
  const clauses = [...new Set(group.flatMap(({ restsOn }) => restsOn.filter((name) => name.startsWith("§"))))];
  const all = decisions.decisions.filter(({ id }) => group.some(({ restsOn }) => restsOn.includes(id)));
  const decided = all.map(({ id, question, answer }) => [
    link(id, `#decision-${id}`),
    ": ",
    marked(question),
    " ",
    marked(answer),
  ]);
  const cited = clauses.map((id) => [link(id, `#${clauseAnchorOf(id)}`), ": ", findClauseTitle(id)]);
  const names = [...clauses, ...all.map(({ id }) => id)];
  const isSame = names.some((name) => unchanged.includes(name));
  const title = `Rests on ${names.join(", ")}${isSame ? ", which did not change" : ""}`;
  const isOpen = isSame && group.every(({ side }) => side === "text");
  return names.length > 0 && details(title, list([...cited, ...decided]), undefined, { isOpen });
}

/** Side by side what the old contract allows and the new one; a request that leads to both is shown once. */
function buildCounterexamples(group: readonly Change[]): Content {
  const all = unique(group.flatMap(({ counterexamples }) => selectShown(Object.values(counterexamples))));
  const shown = all.map(formatCounterexample);
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
