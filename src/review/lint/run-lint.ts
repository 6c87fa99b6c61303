// Runs the lint rules on a contract.
import spectralCore from "@stoplight/spectral-core";
import spectralParsers from "@stoplight/spectral-parsers";
import type { ContractFile } from "../../contract/contract-file.js";
import { createRuleset } from "./ruleset.js";

const { Document, Spectral } = spectralCore; // CommonJS: its names are members of the default
const { Yaml } = spectralParsers;

export interface LintResult {
  rule: string;
  isError: boolean;
  message: string;
  /** `components/parameters/limit`. */
  place: string;
  line: number;
}

export async function runLint({ text, path }: ContractFile): Promise<LintResult[]> {
  const spectral = new Spectral();
  spectral.setRuleset(createRuleset());
  const results = await spectral.run(new Document(text, Yaml, path));
  return results.map(({ code, severity, message, path: place, range }) => ({
    rule: String(code),
    isError: severity === 0,
    message,
    place: place.join("/"),
    line: range.start.line + 1,
  }));
}
