// What two contracts have at the place of a change, as the lines of YAML that differ:
//
//     components/parameters/limit/schema:
//   -   maximum: 50
//   +   maximum: 20
import { diffLines } from "diff";
import { stringify } from "yaml";
import type { Contract } from "../../contract/contract.js";
import { valueAt } from "../../contract/openapi-document.js";
import type { KeywordPlace } from "./resolved-schema.js";

const MAX_LINES = 16;

export function toYamlDifference(before: Contract, after: Contract, places: Record<"before" | "after", KeywordPlace>) {
  const parts = diffLines(toYaml(before, places.before), toYaml(after, places.after));
  const lines = parts.flatMap(({ value, added, removed }) => {
    const mark = added ? "+" : removed ? "-" : " ";
    return value.split("\n").flatMap((line) => (line === "" ? [] : [`${mark} ${line}`]));
  });
  return lines.length > MAX_LINES ? `${lines.slice(0, MAX_LINES).join("\n")}\n  …` : lines.join("\n");
}

/** The keyword below the place of its object; nothing where the contract does not have it. */
function toYaml({ document }: Contract, { value, pointer = [] }: KeywordPlace): string {
  const written = value === undefined ? undefined : valueAt(document, pointer);
  if (written === undefined) return "";
  const around = pointer.slice(0, -1).join("/");
  return stringify({ [around]: { [String(pointer.at(-1))]: written } }, { lineWidth: 100 });
}
