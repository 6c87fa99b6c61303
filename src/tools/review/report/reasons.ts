// The reasons to reject a contract and the accepted ones, each with its changes and what follows from it.
import { plural } from "../../../contract/violation.js";
import {
  type Content,
  codeBlock,
  details,
  entry,
  heading,
  list,
  marked,
  numbered,
  paragraph,
  strong,
  tag,
} from "../../../pages/report/blocks.js";
import type { ReviewedDecision } from "../decision-review.js";
import { IF_REWORDED, type RejectionReason } from "../find-reasons.js";
import type { Review } from "../review.js";
import { ACCEPTED, anchorOf, buildDetails, buildDiff, buildTitle, findChangesOf } from "./changes.js";
import { buildSteps, formatCommand } from "./next-steps.js";
import { buildPlace, joinNames } from "./summary.js";

/** A page numbers the reasons, and has the option that accepts each beneath it; a terminal shows no details. */
type Format = "page" | "comment" | "terminal";

export function buildReasons(review: Review, format: Format): Content {
  const { reasons, allowed } = review;
  return [
    reasons.length > 0 && format !== "terminal" && heading(2, "Reasons to reject", "reasons"),
    reasons.map((reason, index) => buildReason(reason, review, { format, number: index + 1 })),
    format !== "page" && buildSteps(review),
    allowed.length > 0 && format !== "terminal" && heading(2, "Accepted reasons", ACCEPTED),
    allowed.map((reason) => buildReason(reason, review, { format, justification: reason.justification })),
  ];
}

/**
 * A reason with its effects and the changes at its place; the head has the sentence of a change.
 * @param options.justification of an accepted one, which has no number
 */
function buildReason(
  reason: RejectionReason,
  review: Review,
  { format, number, justification }: { format: Format; number?: number; justification?: string },
): Content {
  const { id, message, line, more = [], follows = [], isFinal, isByEffects, unchanged } = reason;
  const own = findChangesOf(reason, review);
  const others = follows.filter((effect) => !own.some((change) => change.id === effect.id));
  const isText = own.some(({ side }) => side === "text");
  const isShown = own.length > 0 && format !== "terminal";
  const isAccepted = justification !== undefined;
  const decision = format === "terminal" ? undefined : findAnsweredDecision(reason, review);
  const isAcceptable = format === "page" && !isAccepted && !isFinal;
  const title = isShown || (own.length > 0 && !isText) ? buildTitle(own, review) : marked(message);
  return entry(
    {
      tone: isAccepted ? "soft" : isText || decision ? "warn" : "bad",
      title: [
        format === "page" && number !== undefined && numbered(number),
        line !== undefined && !isShown && !decision && [buildPlace(review.contract.path, line), ": "],
        decision ? buildDecisionTitle(decision, isAccepted) : title,
      ],
      id: anchorOf(reason, review),
    },
    isAccepted && paragraph(strong("Accepted"), format === "terminal" && ` (${id})`, `: ${justification}`),
    decision && (decision.diff === undefined ? paragraph(marked(message)) : buildDiff(decision.diff)),
    !isShown && more.length > 0 && paragraph(`And ${plural(more.length, "more place")}: ${formatShortList(more)}`),
    own.length > 0 && !isAccepted && !isByEffects && buildWhy(reason, { isShown, isText }),
    isShown && buildDetails(own, review, unchanged),
    buildEffects(others, review, format === "page" && !isAccepted && !isByEffects),
    isFinal && paragraph("It cannot be accepted: the review could not judge the contract."),
    isAcceptable &&
      details(
        "To accept it",
        codeBlock(formatCommand([reason], review), { language: "sh", label: `To accept reason ${number}` }),
      ),
  );
}

/** Why it is one, unless its details say so. */
function buildWhy({ why, unchanged }: RejectionReason, { isShown, isText }: { isShown: boolean; isText: boolean }) {
  if (why === undefined || (isText && !isShown)) return undefined; // in the message
  if (unchanged === undefined || !isShown) return paragraph(why);
  const names = joinNames(unchanged);
  return isText && paragraph(`The text states what ${names} decided. ${IF_REWORDED}`);
}

/** The decision that a reason is about, if it has another answer. */
function findAnsweredDecision({ id }: RejectionReason, { decisions }: Review): ReviewedDecision | undefined {
  return decisions.decisions.find((decision) => id === `decision:${decision.id}` && decision.before);
}

const _nameDecision = ({ id, question }: ReviewedDecision) => `${id} ${question.trim().replaceAll("`", "")}`;

function buildDecisionTitle({ id, question }: ReviewedDecision, isAccepted: boolean): Content {
  const tags = [tag("another answer", isAccepted ? undefined : "warn"), isAccepted && tag("accepted", "good")];
  return [strong(id), " ", marked(question.trim()), " · ", tags];
}

/** Many are folded where the next reason is read first. */
function buildEffects(effects: readonly RejectionReason[], review: Review, isFoldable: boolean): Content {
  if (effects.length === 0) return undefined;
  const title = `What follows from it (${effects.length})`;
  const lines = list(effects.map((effect) => buildLine(effect, review)));
  return isFoldable && effects.length > SHOWN ? details(title, lines) : [paragraph(`${title}:`), lines];
}

function buildLine({ message, line, more = [] }: RejectionReason, { contract: { path } }: Review): Content {
  const rest = more.length > 0 && ` (and ${plural(more.length, "more place")})`;
  return [line !== undefined && [buildPlace(path, line), ": "], marked(message), rest];
}

/** The number of effects and places that are not folded. */
const SHOWN = 3;

function formatShortList(texts: readonly string[]): string {
  return [...texts.slice(0, SHOWN), ...(texts.length > SHOWN ? ["…"] : [])].join("; ");
}
