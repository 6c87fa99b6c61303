// The failures that a team knows of, in a file: only others fail a run. A cause lists its failures by fingerprint, so
// that a known case that fails in another way is new.
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { mapDefined } from "../../contract/lists.js";
import { ConfigError } from "../../core/options.js";
import { readJson } from "../exceptions.js";
import { type FailureGroup, fingerprintsOf, groupFailures } from "./report/causes.js";
import type { Report } from "./report/report.js";

interface Baseline {
  causes: { title: string; severity: string; failures: string[] }[];
}

/** The fingerprints of a baseline. @throws ConfigError */
export function loadBaseline(path: string): string[] {
  if (!existsSync(path)) throw new ConfigError(`${path} does not exist. Write it with --update-baseline ${path}.`);
  const { causes } = readJson(path) as Partial<Baseline>;
  const failures = Array.isArray(causes) ? causes.flatMap((cause) => cause.failures) : undefined;
  if (failures?.every((failure) => typeof failure === "string")) return failures;
  throw new ConfigError(`${path} is not a baseline. Write it with --update-baseline ${path}.`);
}

/** Writes all failures of a report, and returns their fingerprints. */
export async function writeBaseline(path: string, report: Report): Promise<string[]> {
  const fingerprints = new Map(
    mapDefined(report.results, ({ failure, ...result }) =>
      failure ? ([result.id, fingerprintsOf({ ...result, failure })] as const) : undefined,
    ),
  );
  const baselineCauseOf = ({ title, severity, first, alike, consequences }: FailureGroup): Baseline["causes"] => [
    { title, severity, failures: [first.id, ...alike].flatMap((id) => fingerprints.get(id) ?? []) },
    ...consequences.flatMap(baselineCauseOf),
  ];
  const causes = groupFailures(report).flatMap(baselineCauseOf);
  await writeFile(path, `${JSON.stringify({ causes }, null, 2)}\n`);
  return [...fingerprints.values()].flat();
}
