// Patterns that take exponential time for some text: one request with it would stop a server. scslre decides, and here, with the
// automata of refa, two branches that read the same text, which scslre does not look for. What neither reports may be slow nevertheless.
import { type Concatenation, isDisjointWith, JS, NFA, visitAst } from "refa";
import { analyse } from "scslre";
import { isNameMap, walkContract } from "../../../contract/walk-contract.js";
import type { LintRule } from "./lint-rule.js";

export const patternTime: LintRule = ({ document }) =>
  [...walkContract(document)].flatMap(({ pointer, value }) => {
    const { pattern } = value;
    if (typeof pattern !== "string" || isNameMap(pointer)) return [];
    const slow = analyse({ source: pattern, flags: "u" }).reports.find(({ exponential }) => exponential);
    if (!slow && !readsTwice(pattern)) return [];
    const texts = slow ? `texts with many ${slow.character.literal.source}` : "texts that two of its branches match";
    const message = `the pattern ${pattern} can take exponential time for ${texts}: one of them can stop a server`;
    return [{ pointer: [...pointer, "pattern"], code: "slow", message: `${pointer.join(" › ")}: ${message}` }];
  });

/** `(a|a)*`: with each repetition, there are twice as many ways to read the text. */
function readsTwice(pattern: string): boolean {
  const { expression, maxCharacter } = JS.Parser.fromLiteral({ source: pattern, flags: "u" }).parse();
  const toAutomaton = (branch: Concatenation) => {
    const automaton = NFA.fromRegex(branch, { maxCharacter }, { assertions: "ignore" });
    automaton.withoutEmptyWord();
    return automaton;
  };
  const haveCommonText = (branches: readonly Concatenation[]) => {
    const automata = branches.map(toAutomaton);
    return automata.some((one, index) => automata.slice(index + 1).some((other) => !isDisjointWith(one, other)));
  };
  let repetitions = 0;
  let isFound = false;
  visitAst(expression, {
    onQuantifierEnter({ max, alternatives }) {
      if (max === Infinity) repetitions += 1;
      isFound ||= repetitions > 0 && haveCommonText(alternatives);
    },
    onQuantifierLeave({ max }) {
      if (max === Infinity) repetitions -= 1;
    },
    onAlternationEnter({ alternatives }) {
      isFound ||= repetitions > 0 && haveCommonText(alternatives);
    },
  });
  return isFound;
}
