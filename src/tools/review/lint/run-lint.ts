// Runs the lint rules on a contract: our own, and Spectral's.
import spectralCore from "@stoplight/spectral-core";
import type { Contract } from "../../../contract/contract.js";
import { createExpandedSize } from "../../../contract/expanded-size.js";
import { mapDefined } from "../../../contract/lists.js";
import type { Pointer } from "../../../contract/pointer.js";
import { createRuleset, type LintViolation, OWN_RULES, RULE_NAMES } from "./ruleset.js";

const { Spectral } = spectralCore; // CommonJS: its names are members of the default

export interface LintResult extends LintViolation {
  rule: string;
  isError: boolean;
  /** `components/parameters/limit`. */
  place: string;
  line: number;
}

/** The length of a message: some list all values of an enumeration. */
const MAX_LENGTH = 500;

/**
 * Spectral writes out what references lead to, and walks it for each rule. Ordinary contracts have some thousand parts.
 */
const MAX_PARTS = 200_000;
const REASON = `with each reference replaced, it has more than ${MAX_PARTS} parts, and Spectral's rules would not end`;
const TOO_LARGE = { violations: [], broken: [{ rule: "spectral", reason: REASON }] };

export async function runLint(contract: Contract): Promise<LintResult[]> {
  const { value, path, lineOf } = contract.file;
  const createResult = (rule: string, isError: boolean, message: string, pointer: Pointer): LintResult => {
    const text = message.length > MAX_LENGTH ? `${message.slice(0, MAX_LENGTH)} …` : message;
    return { rule, isError, message: text, pointer, place: pointer.join("/"), line: lineOf(pointer) };
  };
  const own = Object.entries(OWN_RULES).flatMap(([name, { rule, isWarning }]) =>
    rule(contract).map((violation) => ({
      ...violation,
      ...createResult(name, !isWarning, violation.message, violation.pointer),
    })),
  );
  const isSmall = createExpandedSize(value as object)("document", value) <= MAX_PARTS;
  const { violations, broken } = isSmall ? await runSpectral(value, path) : TOO_LARGE;
  const others = violations.map(({ code, severity, message, path: pointer }) =>
    createResult(String(code), severity === 0, message, pointer),
  );
  const failures = broken.map(({ rule, reason }) =>
    createResult(rule, false, `The rule cannot read it: ${reason}`, []),
  );
  return [...own, ...others, ...failures].toSorted((a, b) => a.line - b.line);
}

/**
 * A rule that throws is one warning. Spectral says neither which one it is, nor what the others found: each runs alone
 * then.
 */
async function runSpectral(document: unknown, path: string) {
  try {
    return { violations: await runRules(document, path), broken: [] };
  } catch {
    const results = await Promise.allSettled(RULE_NAMES.map((name) => runRules(document, path, name)));
    return {
      violations: results.flatMap((result) => (result.status === "fulfilled" ? result.value : [])),
      broken: mapDefined(results, (result, index) =>
        result.status === "rejected"
          ? { rule: RULE_NAMES[index] ?? "", reason: describeReason(result.reason) }
          : undefined,
      ),
    };
  }
}

function describeReason(error: Error | AggregateError): string {
  return "errors" in error ? String(error.errors[0]?.message ?? error.message) : error.message;
}

async function runRules(document: unknown, path: string, only?: string) {
  const spectral = new Spectral();
  spectral.setRuleset(createRuleset(only));
  // Already parsed, or Spectral would read the text with a YAML parser of its own.
  const parsed = { data: document, ast: {}, lineMap: [], diagnostics: [] };
  return spectral.run({ parsed, getLocationForJsonPath: () => undefined, source: path });
}
