// The review as a few lines for the terminal.
import type { styleText } from "node:util";
import type { Review } from "../review.js";
import { countOf, summarise, toPlace, toVerdictText, toVersionText } from "./summary.js";

type Style = (style: Parameters<typeof styleText>[0], text: string) => string;

/** How many of the further places of a reason are shown. */
const SHOWN = 3;

export function toTerminal(review: Review, style: Style): string {
  const { verdict, reasons, allowed, contract, base } = review;
  const subject = `${contract.title} ${contract.version}${base ? ` compared with ${base.name} (${base.version})` : ""}`;
  return [
    subject,
    `${style(verdict === "accept" ? "green" : "red", toVerdictText(review))}.`,
    ...(review.version ? [`${toVersionText(review)}.`] : []),
    ...summarise(review).map((line) => `  ${line}`),
    ...reasons.flatMap(({ id, message, line, more = [] }) => [
      "",
      `${style("red", "✗")} ${toPlace(review, line)}${message}`,
      ...(more.length > 0
        ? [
            `  and ${countOf(more, "more place")}: ${more.slice(0, SHOWN).join("; ")}${more.length > SHOWN ? "; …" : ""}`,
          ]
        : []),
      `  ${style("dim", `--allow '${id}=…'`)}`,
    ]),
    ...allowed.map(({ id, justification }) => `${style("yellow", "!")} ${id} is allowed: ${justification}`),
    "",
  ].join("\n");
}
