// The review in a few lines.
import type { styleText } from "node:util";
import type { Review } from "../review.js";
import { countOf, summarise } from "./summary.js";

type Style = (style: Parameters<typeof styleText>[0], text: string) => string;

export function toTerminal(review: Review, style: Style): string {
  const { verdict, reasons, allowed, contract, base } = review;
  const against = base ? ` against ${base.name} (${base.version})` : "";
  const word = verdict === "yes" ? style("green", "YES") : style("red", "NO");
  const what = verdict === "yes" ? "nothing stands against it" : `${countOf(reasons, "reason")} to say no`;
  return [
    `${contract.title} ${contract.version}${against}: ${word}, ${what}.`,
    ...summarise(review).map((line) => `  ${line}`),
    ...reasons.flatMap(({ id, sentence, line }) => [
      "",
      `${style("red", "✗")} ${line === undefined ? "" : `openapi.yaml:${line}: `}${sentence}`,
      `  ${style("dim", `--allow '${id}=…'`)}`,
    ]),
    ...allowed.map(({ id, because }) => `${style("yellow", "!")} ${id} is allowed: ${because}`),
    "",
  ].join("\n");
}
