// The changes by place, each with whom it breaks, the lines of both files, and what shows it.
import { basename } from "node:path";
import { groupBy, mapDefined } from "../../../contract/lists.js";
import { plural } from "../../../contract/violation.js";
import {
  type BarPart,
  bar,
  type Content,
  code,
  codeBlock,
  details,
  entry,
  formatContent,
  heading,
  link,
  list,
  marked,
  paragraph,
  soft,
  strong,
  type Tone,
  tag,
  toned,
} from "../../../pages/report/blocks.js";
import { findClauseTitle } from "../../../pages/shell/source-document.js";
import { byClass, type Change, type ChangeClass, placeOf } from "../changes/change.js";
import { withoutReason } from "../changes/change-words.js";
import { isReworded, type RejectionReason } from "../find-reasons.js";
import type { Review } from "../review.js";
import { buildCounterexamples } from "./counterexamples.js";
import { buildCorrections, buildPlace, isOnlyUnknown, shorten } from "./summary.js";

type Kind = ChangeClass | "unknown" | "implementations" | "reworded" | "named";

/** The class of the changes at a place. Some are of a kind of their own: see `kindOf`. */
const KINDS = {
  breaking: { label: "breaking for clients", tone: "bad" },
  unknown: { label: "breaking only for clients that reject unknown members", tone: "warn" },
  undecided: { label: "not decided", tone: "warn" },
  implementations: { label: "breaking for implementations, not for clients", tone: "warn" },
  reworded: { label: "reworded, though decided", tone: "warn" },
  named: { label: "renames a method of generated clients", tone: "warn" },
  compatible: { label: "compatible", tone: "good" },
  note: { label: "a note, which changes no message", tone: "soft" },
  editorial: { label: "text only", tone: "soft" },
  equivalent: { label: "written differently, with the same meaning", tone: "soft" },
} as const satisfies Readonly<Record<Kind, { label: string; tone: Tone }>>;

type Group = readonly [Change, ...Change[]];

function kindOf(group: Group, { decisions }: Review): Kind {
  const [change] = group;
  if (isReworded(change, decisions)) return "reworded";
  if (change.keyword === "operationId") return "named";
  if (group.every(isOnlyUnknown)) return "unknown";
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
  const accepted = review.allowed.flatMap((reason) => findChangesOf(reason, review));
  const open = review.changes.filter((change) => !accepted.includes(change));
  const parts = groupByKind(open, review).flatMap(({ kind, label, tone, groups }): BarPart[] => {
    const broken = groups.filter((group) => group.some(({ breaks }) => breaks.includes("implementations")));
    const both = kind === "breaking" ? broken : [];
    const others = groups.filter((group) => !both.includes(group));
    const name = "breaking for clients and implementations";
    return [
      { name, tone: "both", count: both.length, section: findEntry(both[0], review) },
      { name: label, tone, count: others.length, section: findEntry(others[0], review) },
    ];
  });
  parts.push({ name: "accepted", tone: "good", count: groupBy(accepted, placeOf).length, section: ACCEPTED });
  return review.changes.length > 0 && bar("Changes", parts);
}

/** The id of the entry that shows changes. */
export function findEntry(group: readonly Change[] | undefined, review: Review): string | undefined {
  const reasons = [...review.allowed, ...review.reasons];
  const shown = reasons.find((reason) => findChangesOf(reason, review).some((change) => group?.includes(change)));
  return shown?.id ?? describedOf(group ?? [])[0]?.id;
}

/** The changes at the place of a reason; none if it is no change. */
export function findChangesOf({ id }: RejectionReason, { changes }: Review): Change[] {
  const place = changes.filter((one) => one.id === id).map(placeOf);
  return byClass(changes.filter((one) => place.includes(placeOf(one))));
}

/** In a line: `executionDetails[].source`. */
export function nameOf([change]: readonly Change[]): string | undefined {
  const steps = change?.places[0]?.split(/(?<=[^.])\.(?=[^.])| › /);
  const name = steps?.slice(-2).join(".");
  return name && change?.keyword === "default" ? `${name} (default)` : name; // the rest of the place is another reason
}

/** The id of its entry; a decision has a section with its own. */
export function anchorOf(reason: RejectionReason, review: Review): string {
  return findChangesOf(reason, review).length > 0 ? reason.id : `reason ${reason.id}`;
}

/** The changes by their kind, folded unless they may break clients. */
export function buildChanges(changes: readonly Change[], review: Review): Content {
  return groupByKind(changes, review).map(({ kind, label, tone, groups }) => {
    const title = `${groups.length} ${label}`;
    const content = groups.map((group) => {
      return entry({ tone, title: buildTitle(group, review), id: group[0].id }, buildDetails(group, review));
    });
    const isOpen = ["breaking", "unknown", "undecided", "reworded", "named"].includes(kind);
    return isOpen ? [heading(3, title), content] : details(title, content);
  });
}

const SIDES = { request: "requests", response: "responses", text: "text" };

/** Those that say what changed: of a renamed part, the change of its old name. */
export const describedOf = (group: readonly Change[]) => group.filter(({ renamedFrom }) => renamedFrom === undefined);

/** `query.limit maximum: 50 → 25`, the messages, and whom it breaks. A text is in the diff. */
export function buildTitle(group: readonly Change[], review: Review): Content {
  const described = describedOf(group);
  const [{ places: [place = ""] = [], side = "text", operation } = {}] = described;
  const sentences = side === "text" ? [] : unique(described.map(({ sentence }) => shorten(sentence)));
  const where = operation === undefined ? SIDES[side] : `${SIDES[side]} of ${operation}`;
  const said = [code(place), sentences.length > 0 && [" ", marked(sentences.join(", "))]];
  return [said, " · ", soft(where), buildTags(group, review).map((one) => [" · ", one])];
}

/** Whom changes break; in colour unless this is settled, by an acceptance or the version. */
export function buildTags(group: readonly Change[], review: Review): Content[] {
  const tags = buildEffects(group, review);
  const isAbout = (reason: RejectionReason) => findChangesOf(reason, review).some((change) => group.includes(change));
  const settled = review.allowed.some(isAbout) ? tag("accepted", "good") : buildRest(review.reasons.find(isAbout));
  return settled ? [...tags.map(({ text }) => tag(text)), settled] : tags;
}

/** What blocks in the place of the change itself. */
function buildRest(reason: RejectionReason | undefined) {
  const corrections = reason?.isByEffects && formatContent(buildCorrections([reason]));
  return corrections ? tag(`${corrections} to correct`, "bad") : undefined;
}

function buildEffects(group: readonly Change[], review: Review) {
  const broken = unique(group.flatMap(({ breaks }) => breaks));
  const open = unique(group.flatMap(({ undecided }) => Object.keys(undecided)));
  if (broken.length === 0 && open.length === 0)
    return unique(group.map((change) => KINDS[kindOf([change], review)])).map(({ label, tone }) => tag(label, tone));
  if (group.every(isOnlyUnknown)) return [tag("breaks only clients that reject unknown members", "warn")];
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
    others.length > 0 && details(`and in ${plural(others.length, "more place")}`, paragraph(code(others.join(", ")))),
    group.every(isOnlyUnknown) &&
      paragraph("If your clients ignore unknown members, review with ", code("--policy tolerant"), "."),
    diffs.length === 0 && paragraph(unique(lines).map((line, index) => [index > 0 && "; ", line])),
    diffs.map((diff) => {
      const first = findFirstWith(diff, review);
      const isShown = first === undefined || findChangesOf(first, review).some(({ id }) => id === group[0]?.id);
      if (isShown) return buildDiff(diff);
      return paragraph(
        "The same lines as above: ",
        link(nameOf(findChangesOf(first, review)) ?? "", `#${first.id}`),
        ".",
      );
    }),
    unique(group.flatMap(({ undecided }) => Object.entries(undecided))).map(([name, reason]) => {
      return paragraph(toned(`Not decided for ${name}: ${reason}.`, "warn"));
    }),
    buildCounterexamples(group),
    buildBasis(group, review, unchanged),
  ];
}

/** The first reason with these lines, which shows them. */
function findFirstWith(lines: string, review: Review): RejectionReason | undefined {
  const all = [...review.reasons, ...review.allowed];
  return all.find((reason) => findChangesOf(reason, review).some(({ diff }) => diff === lines));
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
  const decided = all.map(({ id, question, answer }) => [strong(id), ": ", marked(question), " ", marked(answer)]);
  const cited = clauses.map((id) => [strong(id), ": ", findClauseTitle(id)]);
  const names = [...clauses, ...all.map(({ id }) => id)];
  const isSame = names.some((name) => unchanged.includes(name));
  const title = `Rests on ${names.join(", ")}${isSame ? ", which did not change" : ""}`;
  const isOpen = isSame && group.every(({ side }) => side === "text");
  return names.length > 0 && details(title, list([...cited, ...decided]), undefined, { isOpen });
}
