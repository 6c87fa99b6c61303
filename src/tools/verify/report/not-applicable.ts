// Which cases are not applicable, and what to declare of the target so that they are.
import { groupBy, mapDefined } from "../../../contract/lists.js";
import type { Result } from "../case.js";
import type { Lack } from "../expectation.js";
import type { Report } from "./report.js";

/** How many cases are not applicable for each reason: the most frequent one first, and what can be declared. */
export function findReasons(results: readonly Result[]): { reason: string; count: number }[] {
  const cases = results.filter(({ outcome }) => outcome === "not applicable");
  return groupBy(cases, ({ reason = "" }) => reason)
    .toSorted((one, other) => other.length - one.length || Number(!one[0].lack) - Number(!other[0].lack))
    .map((group) => ({ reason: group[0].reason ?? "", count: group.length }));
}

/** Entries of the configuration, with the names of a made-up target. */
const ENTRIES: Readonly<Record<NonNullable<Lack["entry"]>, object>> = {
  subscribers: { subscribers: ["ada", "grace", "team/Zoë 1%", "a+b c;d|e@f"] },
  workflows: { workflows: [{ identifier: "welcome", channels: ["email", "in_app"] }] },
  criticalWorkflow: { criticalWorkflow: "password" },
  unlistedWorkflows: { unlistedWorkflows: ["legacy"] },
  "keys.otherApiKey": { keys: { otherApiKey: "NC_OTHER_API_KEY" } },
};

/** What would make cases applicable; undefined if no declaration does. */
export function findDeclaration(results: readonly Pick<Result, "lack">[]): object | undefined {
  const lacks = mapDefined(results, ({ lack }) => lack);
  const entries = mapDefined(lacks, ({ entry }) => entry && ENTRIES[entry]);
  const capabilities = lacks.flatMap((lack) => lack.capabilities ?? []);
  const all = Object.assign({}, ...entries, capabilities.length > 0 && { with: [...new Set(capabilities)] });
  return Object.keys(all).length > 0 ? all : undefined;
}

/** The reasons, how many cases have them, and the declaration that would make these applicable. */
export function describeNotApplicable({ results }: Pick<Report, "results">) {
  const reasons = findReasons(results);
  const total = reasons.reduce((sum, { count }) => sum + count, 0);
  return { reasons, total, declaration: findDeclaration(results) };
}
