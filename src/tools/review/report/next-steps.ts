// What gets a rejected contract accepted: the version, what has to be corrected, what needs a decision, and the command
// that accepts it as it is.
import { groupBy, mapDefined } from "../../../contract/lists.js";
import { quote } from "../../../contract/request-spec.js";
import { type Content, code, codeBlock, heading, link, steps } from "../../../pages/report/blocks.js";
import { PLACEHOLDER } from "../acceptances.js";
import type { RejectionReason } from "../find-reasons.js";
import type { Review } from "../review.js";
import { anchorOf, findChangesOf, nameOf } from "./changes.js";
import { buildCorrections, isOnlyUnknown } from "./summary.js";

/** undefined for an accepted contract, and for one that cannot be judged. */
export function buildSteps(review: Review): Content {
  const { reasons, version, changes } = review;
  if (reasons.length === 0 || reasons.some(({ isFinal }) => isFinal)) return undefined;
  const breaking = changes.filter(({ class: kind }) => kind === "breaking");
  const isByPolicy = breaking.length > 0 && breaking.every(isOnlyUnknown);
  const corrections = buildCorrections(reasons);
  const questions = mapDefined(reasons, (reason) => {
    const question = findQuestion(reason, review);
    return question === undefined ? undefined : { question, reason };
  });
  const items: Content[] = [
    version && !version.isEnough && buildVersionStep(version, isByPolicy),
    corrections && ["Correct ", corrections, "."],
    ...groupBy(questions, ({ question }) => question).map((group) => [
      `${group[0].question}: `,
      group.map(({ reason }, index) => [index > 0 && ", ", buildLink(reason, review)]),
      ".",
    ]),
    `${reasons.every(({ isRewording }) => isRewording) ? "To" : "Or"} accept ${reasons.length === 1 ? "it" : "everything"} as it is: write why in place of each ${PLACEHOLDER}.`,
  ].filter((item) => item !== undefined && item !== false);
  return [
    heading(2, "To get it accepted", "next-steps"),
    steps(items),
    codeBlock(formatCommand(reasons, review), { language: "sh", label: "Command that accepts everything" }),
  ];
}

function buildVersionStep({ error, lowest }: NonNullable<Review["version"]>, isByPolicy: boolean): Content {
  if (error) return `Correct the version: ${error}.`;
  const policy = isByPolicy && [
    ", or review with ",
    code("--policy tolerant"),
    " if your clients ignore unknown members",
  ];
  return ["Set ", code("info.version"), ` to ${lowest}`, policy, "."];
}

/** What a reader has to decide about it; undefined if a version or corrections are enough. */
function findQuestion(reason: RejectionReason, review: Review): string | undefined {
  const { id, unchanged, isRewording } = reason;
  if (isRewording)
    return "Read the new words: accept them if they say the same; if not, change the decision's answer as well, or undo them";
  if (unchanged) return "Undo what contradicts a clause or decision, or change the decision as well";
  if (findChangesOf(reason, review).some(({ undecided }) => Object.keys(undecided).length > 0))
    return "Check whether it breaks somebody";
  if (id.startsWith("decision:")) return "Agree on the decision with the other teams";
  return undefined;
}

function buildLink(reason: RejectionReason, review: Review): Content {
  const { id, message } = reason;
  const [kind = "", ...rest] = id.split(":");
  const name = nameOf(findChangesOf(reason, review)) ?? (kind === "decision" ? rest[0] : message);
  return link(name ?? id, `#${anchorOf(reason, review)}`);
}

/** The whole command, with what is accepted already. */
export function formatCommand(reasons: readonly RejectionReason[], review: Review): string {
  const { contract, base, policy, allowed } = review;
  const allow = ({ id }: RejectionReason, why: string) => `--allow ${quote(`${id}=${why}`)}`;
  return [
    `npx notifications-contract review --contract ${quotePath(contract.path)}${base ? ` --base ${quotePath(base.name)}` : ""}${policy === "tolerant" ? " --policy tolerant" : ""}`,
    ...allowed.map((reason) => allow(reason, reason.justification)),
    ...reasons.filter(({ isFinal }) => !isFinal).map((reason) => allow(reason, PLACEHOLDER)),
  ].join(" \\\n  ");
}

const quotePath = (path: string) => (/^[\w./:@~-]+$/.test(path) ? path : quote(path));
