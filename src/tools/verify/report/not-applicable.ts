// Which cases are not applicable, and what to declare of the target so that they are.
import { groupBy, mapDefined } from "../../../contract/lists.js";
import { quote } from "../../../contract/request-spec.js";
import { plural } from "../../../contract/violation.js";
import {
  type Content,
  code,
  codeBlock,
  heading,
  link,
  marked,
  paragraph,
  table,
} from "../../../pages/report/blocks.js";
import type { Result } from "../case.js";
import type { Lack } from "../expectation.js";
import { linkToCases } from "./case-tables.js";
import { COMMAND, type Report } from "./report.js";

/** The section's id. */
export const NOT_APPLICABLE = "not-applicable";

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
function describe({ results }: Report) {
  const reasons = findReasons(results);
  const total = reasons.reduce((sum, { count }) => sum + count, 0);
  return { reasons, total, declaration: findDeclaration(results) };
}

/** In the verdict: the most frequent reason. Leads to the section. */
export function summarizeNotApplicable(report: Report): Content {
  const { reasons, total, declaration } = describe(report);
  const [only, ...others] = reasons;
  if (!only) return undefined;
  const reason = others.length > 0 ? ` for ${reasons.length} reasons, most often: ${only.reason}` : `: ${only.reason}`;
  const name = declaration ? "What to declare" : "Which cases";
  return paragraph(
    marked(`${total} not applicable${reason}`),
    ". ",
    link(name, `#${NOT_APPLICABLE}`),
    declaration && [", or let ", code("verify --init"), " write it"],
    declaration && ".",
  );
}

export function buildNotApplicable(report: Report): Content {
  const { reasons, total, declaration } = describe(report);
  if (total === 0) return undefined;
  const rows = reasons.map(({ reason, count }) => [
    marked(reason),
    linkToCases(plural(count, "case"), reason.replaceAll("`", "")),
  ]);
  const command = `${report.command ?? COMMAND} --init --url ${quote(report.url)}`;
  return [
    heading(2, "Not applicable", NOT_APPLICABLE, { listed: { name: "Not applicable", count: total } }),
    table({ label: "Reasons", columns: ["Reason", "Cases"] }, rows),
    declaration && [
      paragraph("If the target has it, declare it in ", code("verify.config.json"), ", with the target's own names:"),
      codeBlock(JSON.stringify(declaration), { language: "json", label: "verify.config.json" }),
      paragraph("Or let ", code("verify"), " ask the target, and write that file:"),
      codeBlock(command, { language: "sh", label: "Write the file" }),
    ],
  ];
}
