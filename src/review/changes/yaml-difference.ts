// What two contracts have at the place of a change, as the lines of YAML that differ:
//
//     components/parameters/limit/schema:
//   -   maximum: 50
//   +   maximum: 20
import { diffLines } from "diff";
import { dump } from "js-yaml";
import type { Contract } from "../../contract/contract.js";
import type { Pointer } from "../../contract/contract-file.js";
import { valueAt } from "../../contract/openapi-document.js";
import type { KeywordPlace } from "./resolved-schema.js";

const MAX_LINES = 16;

export function toYamlDifference(before: Contract, after: Contract, places: Record<"before" | "after", KeywordPlace>) {
  const [was = [], is = []] = [places.before.pointer, places.after.pointer];
  // Where only one of them has it, the other one's place is no more than the nearest.
  const [old, own] = was.length === is.length ? [was, is] : was.length > is.length ? [was, was] : [is, is];
  const lines = diffLines(toYaml(before, old), toYaml(after, own)).flatMap(({ value, added, removed }) => {
    const mark = added ? "+" : removed ? "-" : " ";
    return value.split("\n").flatMap((line) => (line === "" ? [] : [`${mark} ${line}`]));
  });
  return lines.length > MAX_LINES ? `${lines.slice(0, MAX_LINES).join("\n")}\n  …` : lines.join("\n");
}

/** The keyword below the place of its object; nothing where the contract does not have it. */
function toYaml({ document }: Contract, pointer: Pointer): string {
  const written = valueAt(document, pointer);
  if (written === undefined || pointer.length === 0) return "";
  return dump(
    { [pointer.slice(0, -1).join("/")]: { [String(pointer.at(-1))]: written } },
    { lineWidth: 100, noRefs: true },
  );
}
