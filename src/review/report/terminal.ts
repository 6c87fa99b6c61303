// The review as a few lines for the terminal.
import type { styleText } from "node:util";
import type { Review } from "../review.js";
import { summarise, toVerdictText } from "./summary.js";

type Style = (style: Parameters<typeof styleText>[0], text: string) => string;

export function toTerminal(review: Review, style: Style): string {
  const { verdict, reasons, allowed, contract, base } = review;
  const subject = `${contract.title} ${contract.version}${base ? ` compared with ${base.name} (${base.version})` : ""}`;
  return [
    subject,
    `${style(verdict === "accept" ? "green" : "red", toVerdictText(review))}.`,
    ...summarise(review).map((line) => `  ${line}`),
    ...reasons.flatMap(({ id, message, line }) => [
      "",
      `${style("red", "✗")} ${line === undefined ? "" : `openapi.yaml:${line}: `}${message}`,
      `  ${style("dim", `--allow '${id}=…'`)}`,
    ]),
    ...allowed.map(({ id, justification }) => `${style("yellow", "!")} ${id} is allowed: ${justification}`),
    "",
  ].join("\n");
}
