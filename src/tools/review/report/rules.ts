// The rules of the review as a table: what a change of a keyword means, and who breaks.
import { type MessageSide, type Side, whoBreaks } from "../changes/change.js";
import { SERIALIZATION } from "../changes/compare-operations.js";
import { RULES } from "../changes/keyword-rules.js";
import { ANNOTATIONS } from "../changes/meanings.js";

const COLUMNS = ["narrower in requests", "wider in requests", "narrower in responses", "wider in responses"] as const;

/** The rows of `review --rules`: keyword, then who breaks by column. */
function listRules(): string[][] {
  const bySide = (side: MessageSide): Side[] => [whoBreaks(side).lost, whoBreaks(side).gained];
  const judged = [...bySide("request"), ...bySide("response")];
  const row = (names: readonly string[], who: string) => names.map((name) => [name, ...COLUMNS.map(() => who)]);
  return [
    ["keyword", ...COLUMNS],
    ...["existence", "content", "security", ...Object.keys(RULES)].toSorted().map((name) => [name, ...judged]),
    ...row([...SERIALIZATION], "both"),
    ...row(
      [...ANNOTATIONS].map((name) => name.replace("review:", "")),
      "nobody",
    ),
  ];
}

export function formatRules(): string {
  const rows = listRules();
  const widths = COLUMNS.map((_name, index) => Math.max(...rows.map((cells) => cells[index]?.length ?? 0)));
  const lines = rows.map((cells) =>
    cells
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  return `${lines.join("\n")}\n
A member that one side must not have (readOnly in requests, writeOnly in responses) is removed from its messages.
New optional headers, and new 4xx and 5xx beside another one, break nobody. Everything else must be the same, or is not decided.
`;
}
