// Runs the lint rules on a contract: our own, and Spectral's.
import spectralCore from "@stoplight/spectral-core";
import type { Contract } from "../../contract/contract.js";
import type { Pointer } from "../../contract/contract-file.js";
import { createRuleset, OWN_RULES } from "./ruleset.js";

const { Spectral } = spectralCore; // CommonJS: its names are members of the default

export interface LintResult {
  rule: string;
  isError: boolean;
  message: string;
  /** `components/parameters/limit`. */
  place: string;
  line: number;
  /** Where in an example. */
  location?: string | undefined;
}

export async function runLint(contract: Contract): Promise<LintResult[]> {
  const { value, path, lineOf } = contract.file;
  const toResult = (rule: string, isError: boolean, message: string, pointer: Pointer): LintResult => {
    return { rule, isError, message, place: pointer.join("/"), line: lineOf(pointer) };
  };
  const own = Object.entries(OWN_RULES).flatMap(([name, { rule }]) =>
    rule(contract).map(({ pointer, message, location }) => ({ ...toResult(name, true, message, pointer), location })),
  );
  const spectral = new Spectral();
  spectral.setRuleset(createRuleset());
  // As parsed: Spectral would read the text with a YAML parser of its own, and find lines by that.
  const parsed = { data: value, ast: {}, lineMap: [], diagnostics: [] };
  const results = await spectral.run({ parsed, getLocationForJsonPath: () => undefined, source: path });
  const others = results.map(({ code, severity, message, path: pointer }) =>
    toResult(String(code), severity === 0, message, pointer),
  );
  return [...own, ...others].toSorted((a, b) => a.line - b.line);
}
