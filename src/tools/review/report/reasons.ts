// The reasons as trees, the same in a page, a comment and a terminal: each with what follows from it beneath, and how to accept it.
import { type Content, code, entry, link, list, marked, paragraph } from "../../../pages/report/blocks.js";
import type { RejectionReason } from "../find-reasons.js";
import type { Review } from "../review.js";
import { toReach } from "./consumer-blocks.js";
import { countOf, toPlace } from "./summary.js";

export function toReasons(review: Review): Content {
  const { reasons, allowed, contract, changes } = review;
  return [
    reasons.map(({ id, message, line, more = [], follows = [], isFinal }) =>
      entry(
        { tone: "bad", title: [line !== undefined && [toPlace(contract.path, line), ": "], marked(message)] },
        more.length > 0 && paragraph(`And ${countOf(more, "more place")}: ${toShort(more)}`),
        toReach(review, id),
        follows.length > 0 && paragraph(`What follows from it (${follows.length}):`),
        list(follows.map(toLine)),
        isFinal ? paragraph("It cannot be accepted: the review could not judge the contract.") : toOption(id),
      ),
    ),
    allowed.map(({ id, message, justification }) =>
      entry({ tone: "warn", title: `${id} is allowed: ${justification}` }, paragraph(marked(message))),
    ),
  ];

  /** To be pasted. */
  function toOption(id: string): Content {
    const isChange = changes.some((change) => change.id === id);
    return paragraph("--allow '", isChange ? link(id, `#${id}`) : code(id), "=justification'");
  }
}

function toLine({ message, line, more = [] }: RejectionReason): Content {
  const rest = more.length > 0 && ` And ${countOf(more, "more place")}.`;
  return [line !== undefined && `line ${line}: `, marked(message), rest];
}

/** How many further places are named. */
const SHOWN = 3;

function toShort(texts: readonly string[]): string {
  return [...texts.slice(0, SHOWN), ...(texts.length > SHOWN ? ["…"] : [])].join("; ");
}
