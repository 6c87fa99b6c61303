// Runs the lint rules on a contract: our own, and Spectral's.
import spectralCore from "@stoplight/spectral-core";
import type { Contract } from "../../../contract/contract.js";
import type { Pointer } from "../../../contract/contract-file.js";
import { toPointer, valueAt } from "../../../contract/openapi-document.js";
import type { LintViolation } from "./lint-rule.js";
import { createRuleset, OWN_RULES } from "./ruleset.js";

const { Spectral } = spectralCore; // CommonJS: its names are members of the default

export interface LintResult extends Omit<LintViolation, "pointer"> {
  rule: string;
  isError: boolean;
  /** `components/parameters/limit`. */
  place: string;
  line: number;
}

/** The length of a message: some list every value of an enumeration. */
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
  const { result, references } = followReferences(document);
  const used = Object.values(references).map((reference) => `${path}${reference}`);
  const graph = { getNodeData: () => ({ refMap: references }), overallOrder: () => used };
  const resolver = { resolve: async () => ({ result, graph, errors: [] }), uriCache: {} };
  const spectral = new Spectral({ resolver: resolver as never }); // its type asks for a whole class
  spectral.setRuleset(createRuleset());
  // As parsed: Spectral would read the text with a YAML parser of its own, and find lines by that.
  const parsed = { data: document, ast: {}, lineMap: [], diagnostics: [] };
  return spectral.run({ parsed, getLocationForJsonPath: () => undefined, source: path });
}

/** A parameter, and its schema. What is behind that is checked where it stands. */
const MAX_REFERENCES = 2;

/**
 * With what references lead to in their place, as rules expect it. Spectral's own resolver follows all of them: of a schema
 * that names another one twice, which does so as well, it would make as many parts as a chessboard has grains.
 * @returns the references, too, by where they stand: Spectral names places in the file by them.
 */
function followReferences(document: unknown): { result: unknown; references: Record<string, string> } {
  const references: Record<string, string> = {};
  const follow = (value: unknown, place: string, count: number): unknown => {
    if (typeof value !== "object" || value === null) return value;
    const { $ref } = value as { $ref?: unknown };
    const target = typeof $ref === "string" ? valueAt(document, toPointer($ref)) : undefined;
    if (typeof $ref === "string" && target !== undefined) {
      if (count === 0) references[place] = $ref;
      if (count < MAX_REFERENCES) return follow(target, place, count + 1);
    }
    const members = Object.entries(value).map(([key, member]) => {
      const name = encodeURIComponent(key.replaceAll("~", "~0").replaceAll("/", "~1"));
      return [key, follow(member, `${place}/${name}`, count)] as const;
    });
    return Array.isArray(value) ? members.map(([, member]) => member) : Object.fromEntries(members);
  };
  return { result: follow(document, "#", 0), references };
}
