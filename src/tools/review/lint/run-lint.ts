// Runs the lint rules on a contract: our own, and Spectral's.
import spectralCore from "@stoplight/spectral-core";
import type { Contract } from "../../../contract/contract.js";
import type { Pointer } from "../../../contract/contract-file.js";
import { createRuleset, type LintViolation, OWN_RULES } from "./ruleset.js";

const { Spectral } = spectralCore; // CommonJS: its names are members of the default

export interface LintResult extends Omit<LintViolation, "pointer"> {
  rule: string;
  isError: boolean;
  /** `components/parameters/limit`. */
  place: string;
  line: number;
}

/** The length of a message: some list all values of an enumeration. */
const MAX_LENGTH = 500;

export async function runLint(contract: Contract): Promise<LintResult[]> {
  const { value, path, lineOf } = contract.file;
  const toResult = (rule: string, isError: boolean, message: string, pointer: Pointer): LintResult => {
    const text = message.length > MAX_LENGTH ? `${message.slice(0, MAX_LENGTH)} …` : message;
    return { rule, isError, message: text, place: pointer.join("/"), line: lineOf(pointer) };
  };
  const own = Object.entries(OWN_RULES).flatMap(([name, { rule, isWarning }]) =>
    rule(contract).map(({ pointer, ...violation }) => ({
      ...violation,
      ...toResult(name, !isWarning, violation.message, pointer),
    })),
  );
  const others = (await runSpectral(value, path)).map(({ code, severity, message, path: pointer }) =>
    toResult(String(code), severity === 0, message, pointer),
  );
  return [...own, ...others].toSorted((a, b) => a.line - b.line);
}

async function runSpectral(document: unknown, path: string) {
  const spectral = new Spectral();
  spectral.setRuleset(createRuleset());
  // Already parsed, or Spectral would read the text with a YAML parser of its own.
  const parsed = { data: document, ast: {}, lineMap: [], diagnostics: [] };
  return spectral.run({ parsed, getLocationForJsonPath: () => undefined, source: path });
}
