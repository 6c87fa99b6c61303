// The rules of the review as a table: what a change of a keyword means, and who breaks.
import { alignColumns } from "../../../pages/report/render-terminal.js";
import { whoBreaks } from "../changes/change.js";
import { RULES } from "../changes/keyword-rules.js";
import { ANNOTATIONS } from "../changes/meanings.js";
import { SERIALIZATION } from "../changes/operation-differences.js";

const COLUMNS = ["narrower in requests", "wider in requests", "narrower in responses", "wider in responses"];

/** The text of `review --rules`: by keyword, who breaks. */
export function formatRules(): string {
  const judged = (["request", "response"] as const).flatMap((side) => [whoBreaks(side).lost, whoBreaks(side).gained]);
  const rowsOf = (names: Iterable<string>, who: readonly string[]) =>
    [...names].map((name) => [name.replace("review:", ""), ...who]);
  const lines = alignColumns([
    ["keyword", ...COLUMNS],
    ...rowsOf(["existence", "content", "security", ...Object.keys(RULES)].toSorted(), judged),
    ...rowsOf(SERIALIZATION, new Array(COLUMNS.length).fill("both")),
    ...rowsOf(ANNOTATIONS, new Array(COLUMNS.length).fill("nobody")),
  ]);
  return `${lines.join("\n")}\n
A member that one side must not have (readOnly in requests, writeOnly in responses) is removed from its messages.
New optional headers, and new 4xx and 5xx beside another one, break nobody. Everything else must be the same, or is not decided.
`;
}
