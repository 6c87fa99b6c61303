// A place that the search of the pages finds, by what was typed: each word is one of the place, or begins one. Without a
// DOM and Node: the server makes the index, and script/palette.ts searches it.
import { mapDefined } from "../../contract/lists.js";

/** A place that the index of the docs has: docs-page.ts. */
export interface Place {
  group: string;
  /** Before its name: a method, a status, `query`. */
  badge?: string;
  name: string;
  /** Beside the name, where it is. */
  note?: string;
  /** What is said there. */
  text?: string;
  /** A path or an anchor. */
  href: string;
}

export interface Searchable extends Omit<Place, "href"> {
  /** True for actions and guides, whose names come before other names. */
  isTop?: boolean;
  /** True if a server found it, perhaps by a part in the middle of a word. */
  isFound?: boolean;
  /** True for what comes after all that is found: an offer to add what was typed. */
  isLast?: boolean;
}

export const MENTIONS = "Mentioned in";

/**
 * Those that have each word, or a word that begins with it: what is called so, actions and guides by their names, other
 * names, places, texts.
 */
export function findMatches<Item extends Searchable>(items: readonly Item[], typed: string): Item[] {
  const words = wordsOf(typed);
  const ranked = mapDefined(items, (item) => {
    const rank = rankOf(item, words);
    return rank === undefined ? undefined : { item: rank === TEXT ? { ...item, group: MENTIONS } : item, rank };
  });
  return ranked.toSorted((one, other) => one.rank - other.rank).map(({ item }) => item);
}

const TEXT = 5;
const LAST = 6;

function rankOf(item: Searchable, words: readonly string[]): number | undefined {
  const { badge = "", name, note = "", text = "", isTop = false, isFound = false, isLast = false } = item;
  if (isLast) return LAST;
  const [inName, inNote, inText] = [tokenize(`${badge} ${name}`), tokenize(note), tokenize(text)];
  const begins = (tokens: readonly string[]) => words.every((word) => tokens.some((token) => token.startsWith(word)));
  const titles = /\d/.test(badge) ? [badge, name] : [name]; // `D-47` names something, `DELETE` does not
  if (words.length === 1 && titles.map(fold).includes(words[0] ?? "")) return 0;
  if (begins(inName)) return isTop ? 1 : words.every((word) => inName.includes(word)) ? 2 : 3;
  if (begins([...inName, ...inNote]) || isFound) return 4;
  return begins([...inName, ...inNote, ...inText]) ? TEXT : undefined;
}

export const wordsOf = (text: string) => fold(text).split(/\s+/).map(trim).filter(Boolean);

/** `pageSize, D-29` → pagesize, d-29, page, size, d, 29. */
function tokenize(text: string): string[] {
  const parts = text.split(/[^\p{L}\p{M}\p{N}]+/u).flatMap((part) => [part, ...part.split(/(?<=\p{Ll})(?=\p{Lu})/u)]);
  return [...text.split(/\s+/).map(trim), ...parts].map(fold);
}

/** Without capitals and accents: `ines` finds Inès. */
export const fold = (text: string) => text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();

const trim = (text: string) => text.replaceAll(/^[^\p{L}\p{N}§/]+|[^\p{L}\p{N}]+$/gu, "");

/** The first one with a word. */
export function findSentence(text: string, words: readonly string[]): string {
  const sentences = text.split(/(?<=[.?])\s+(?=\p{Lu})/u);
  return (
    sentences.find((sentence) => tokenize(sentence).some((token) => words.some((word) => token.startsWith(word)))) ?? ""
  );
}
