// Compares patterns as sets of texts, by automata: decides if every text of one is a text of the other. The build bundles
// the library of automata into this module (src/build/bundle.js), so that users need not install it.
import { combineTransformers, DFA, JS, NFA, Transformers, transform } from "refa";

/** The number of texts to return. */
const TEXTS = 12;
/** The number of unreadable texts after which no readable one is expected. */
const ATTEMPTS = 2000;
/** Other characters are hard to read in a report. */
const isReadable = (text: string) => /^[ -~]*$/.test(text);

/**
 * Finds texts that match all patterns, but not the other one. An empty list proves that there are none; undefined means
 * undecided: a back-reference, or too large an automaton.
 */
export function findTextsBeyond(patterns: readonly string[], other: string): string[] | undefined {
  const key = JSON.stringify([patterns, other]);
  if (!decided.has(key)) decided.set(key, decide(patterns, other));
  return decided.get(key);
}

const decided = new Map<string, string[] | undefined>();

function decide(patterns: readonly string[], other: string): string[] | undefined {
  try {
    const rest = buildAutomaton(other);
    rest.complement();
    const [first, ...further] = [...patterns.map(buildAutomaton), rest];
    const both = further.reduce((one, next) => NFA.fromIntersection(one, next), NFA.fromFA(first ?? rest));
    if (both.isEmpty) return [];
    const [readable, unreadable]: [string[], string[]] = [[], []];
    for (const word of both.words()) {
      const text = String.fromCodePoint(...word);
      (isReadable(text) ? readable : unreadable).push(text);
      if (readable.length >= TEXTS || unreadable.length >= ATTEMPTS) break;
    }
    return readable.length > 0 ? readable : unreadable.slice(0, TEXTS);
  } catch {
    return undefined;
  }
}

/** JSON Schema searches for a match anywhere in the text; an automaton reads whole texts. */
function buildAutomaton(pattern: string): DFA {
  const parse = (source: string) => JS.Parser.fromLiteral({ source, flags: "u" }).parse();
  const branches = parse(pattern).expression.alternatives.map((branch) => {
    const { source } = JS.toLiteral({ type: "Expression", alternatives: [branch] } as never, {
      flags: { unicode: true, ignoreCase: false, dotAll: false },
    });
    return `[^]*(?:${source})[^]*`;
  });
  const { expression, maxCharacter } = parse(branches.join("|"));
  const applied = transform(combineTransformers([Transformers.simplify(), Transformers.applyAssertions()]), expression);
  const whole = transform(Transformers.patternEdgeAssertions({ remove: true }), applied);
  return DFA.fromFA(NFA.fromRegex(whole, { maxCharacter }));
}
