// The reasons as trees: each with what follows from it beneath, and the options that accept them.
import {
  type Content,
  code,
  codeBlock,
  details,
  entry,
  link,
  list,
  marked,
  paragraph,
  tag,
} from "../../../pages/report/blocks.js";
import type { RejectionReason } from "../find-reasons.js";
import type { Review } from "../review.js";
import { toReach } from "./consumer-blocks.js";
import { countOf, toPlace } from "./summary.js";

export function toReasons(review: Review): Content {
  const { reasons, allowed, contract, changes } = review;
  const isChange = (id: string) => changes.some((change) => change.id === id);
  return [
    list(
      reasons.map(({ id, message, line, more = [], follows = [] }) => [
        paragraph(marked(message)),
        paragraph(
          toPlace(contract.path, line),
          line !== undefined && " ",
          isChange(id) ? link(id, `#${id}`) : code(id),
        ),
        more.length > 0 && details(`And ${countOf(more, "more place")}`, list(more.map(marked))),
        follows.length > 0 && details(`What follows from it (${follows.length})`, list(follows.map(toLine))),
      ]),
    ),
    reasons.length > 0 && details(reasons.length > 1 ? "To accept some of them" : "To accept it", toOptions(reasons)),
    list(
      allowed.map(({ id, message, justification }) => [
        paragraph(tag("allowed", "warn"), " ", marked(message)),
        paragraph(justification, " ", code(id)),
      ]),
    ),
  ];

  function toLine({ message, line, more = [] }: RejectionReason): Content {
    return [marked(message), toRest(more), line !== undefined && [" ", toPlace(contract.path, line)]];
  }
}

function toRest(more: readonly string[]): Content {
  return more.length > 0 && ` And ${countOf(more, "more place")}.`;
}

/** Ready to paste. */
function toOptions(reasons: readonly RejectionReason[]): Content {
  const acceptable = reasons.filter(({ isFinal }) => !isFinal);
  if (acceptable.length === 0)
    return paragraph("Nothing of it can be accepted: the review could not judge the contract.");
  const options = acceptable.map(({ id }) => `--allow '${id.replaceAll("'", "'\\''")}=justification'`);
  return codeBlock(options.join(" \\\n  "), { language: "sh", label: "Options" });
}

/** How many further places are named in a terminal. */
const SHOWN = 3;

export function toTerminalReasons(review: Review): Content {
  const { reasons, allowed, contract, lint } = review;
  return [
    reasons.map(({ id, message, line, more = [], follows = [], isFinal }) =>
      entry(
        { tone: "bad", title: [line !== undefined && [toPlace(contract.path, line), ": "], marked(message)] },
        more.length > 0 && paragraph(`And ${countOf(more, "more place")}: ${toShort(more)}`),
        toReach(review, id),
        follows.length > 0 && paragraph(`What follows from it (${follows.length}):`),
        list(
          follows
            .slice(0, SHOWN)
            .map(({ line, message, more = [] }) => [
              line !== undefined && `line ${line}: `,
              marked(message),
              toRest(more),
            ]),
        ),
        follows.length > SHOWN && paragraph(`And ${follows.length - SHOWN} more.`),
        !isFinal && paragraph(`--allow '${id}=…'`),
      ),
    ),
    lint.flatMap(({ isError, line, message }) =>
      isError ? [] : [entry({ tone: "warn", title: [toPlace(contract.path, line), ": ", marked(message)] })],
    ),
    allowed.map(({ id, justification }) => entry({ tone: "warn", title: `${id} is allowed: ${justification}` })),
  ];
}

function toShort(texts: readonly string[]): string {
  return [...texts.slice(0, SHOWN), ...(texts.length > SHOWN ? ["…"] : [])].join("; ");
}
