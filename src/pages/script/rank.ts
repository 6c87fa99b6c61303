// Ranks places by what was typed: names before texts, whole words before parts, all words before some. Without a DOM.
import { mapDefined } from "../../contract/lists.js";
import { findNearestName } from "../../contract/nearest-name.js";

export interface Searchable {
  /** Its kind, before the name: a method, a status, `query`. */
  badge?: { textContent: string | null } | undefined;
  name: string;
  /** Beside the name. */
  note?: string;
  /** In short where it is. */
  place?: string;
  /** What is said there. */
  sentences?: readonly string[];
  /** 1, or more for what is looked for more often. */
  weight?: number;
}

export interface Match<Item> {
  item: Item;
  /** The sentence with most of the words, if name and note lack one, or have its synonym. */
  sentence: string | undefined;
  /** True if the name has none of the words. */
  isMention: boolean;
}

export interface Found<Item> {
  matches: Match<Item>[];
  /** The stems that were searched, to mark them. */
  words: readonly string[];
  note: string;
  /** True if the first place has all words as they were typed. */
  isExact: boolean;
}

/** A word with its stem and its synonyms. */
interface Term {
  word: string;
  stem: string;
  others: readonly string[];
}

const STOP_WORDS = new Set(
  "a an and are at by can do does for from happens how i if in is it my of on or the to use what when why with".split(
    " ",
  ),
);

/** What others call it: each word of a line finds the others. */
const SYNONYMS = [
  "filter query",
  "date time timestamp after before",
  "time clock now",
  "error fault fail",
  "delete remove clear",
  "create add new inject",
  "change edit update set",
  "data records results seed",
  "sort order",
  "max maximum most",
  "min minimum least",
  "multiple several repeat",
  "page pagination paginate paging",
  "auth authentication token key",
  "delay slow latency",
  "off disable",
  "wrong invalid unknown",
].map((line) => line.split(" "));

/** Finds the places that have all words, or else those with the rarest of them; corrects words that no place has. */
export function search<Item extends Searchable>(items: readonly Item[], text: string): Found<Item> {
  const typed = wordsOf(text);
  const words = correct(typed, items);
  const { matches, hasAll } = findMatches(items, words);
  const isExact = hasAll && words.join() === typed.join();
  const found = { matches, words: words.map((word) => toTerm(word).stem), isExact };
  const count = `${matches.length} found`;
  if (matches.length === 0) return { ...found, note: "Nothing found: try fewer letters" };
  if (words.join() !== typed.join()) return { ...found, note: `Did you mean ${words.join(" ")}? ${count}` };
  return { ...found, note: hasAll ? count : `No place has all words: ${count} with some` };
}

function wordsOf(text: string): string[] {
  const words = fold(text).split(/\s+/).map(trim).filter(Boolean);
  const meant = words.filter((word) => !STOP_WORDS.has(word));
  return meant.length > 0 ? meant : words;
}

/** In the place of each word that no place has, the nearest word of a name, or else of a text. */
function correct(words: readonly string[], items: readonly Searchable[]): string[] {
  const isKnown = (word: string) => items.some((item) => scoreOf(indexOf(item), toTerm(word)) > 0);
  const tokensIn = (place: keyof Index) => [...new Set(items.flatMap((item) => indexOf(item)[place]))];
  const findNearest = (word: string) => {
    const isLong = (token: string) => token.length >= word.length - 1 && !STOP_WORDS.has(token);
    const names = [...tokensIn("name"), ...tokensIn("note")].filter(isLong);
    const others = tokensIn("text").filter((token) => isLong(token) && token[0] === word[0]); // many are near by chance
    return findNearestName(word, names) ?? findNearestName(word, others);
  };
  return words.map((word) => (word.length < SHORT || isKnown(word) ? word : (findNearest(word) ?? word)));
}

/** Too many other words are near a shorter one. */
const SHORT = 5;

function findMatches<Item extends Searchable>(items: readonly Item[], words: readonly string[]) {
  const terms = words.map(toTerm);
  const scored = items.map((item) => {
    const index = indexOf(item);
    return { item, index, scores: terms.map((term) => scoreOf(index, term)) };
  });
  const rarities = terms.map((_term, place) => {
    const count = scored.filter(({ scores }) => (scores[place] ?? 0) > 0).length;
    return count === 0 ? 0 : Math.log(1 + items.length / count);
  });
  const ranked = mapDefined(scored, ({ item, index, scores }) => {
    const has = scores.map((score) => score > 0);
    if (!has.includes(true)) return undefined;
    const rarity = sum(rarities.filter((_rarity, place) => has[place]));
    const score = sum(scores.map((score, place) => score * (rarities[place] ?? 0)));
    const rank = score * (item.weight ?? 1) * (1 + FULL_NAME * shareOf(index.name, terms));
    const isPart = scores.some((score) => score > 0 && score <= NAME * PART);
    return { match: toMatch(item, index, terms), rarity, rank, isPart };
  });
  const most = Math.max(...ranked.map(({ rarity }) => rarity));
  const hasAll = most === sum(rarities) && !rarities.includes(0);
  const likely = ranked.filter(({ rarity }) => rarity >= (hasAll ? most : most / 2));
  const whole = likely.filter(({ isPart }) => !isPart); // `ines` is no part of Readiness
  const matches = (whole.length > 0 ? whole : likely)
    .toSorted((one, other) => other.rank - one.rank)
    .map(({ match }) => match);
  return { matches, hasAll };
}

/** What a name gains that is typed in full. */
const FULL_NAME = 0.4;

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

function toMatch<Item extends Searchable>(item: Item, { name, note }: Index, terms: readonly Term[]): Match<Item> {
  const isIn = (tokens: readonly string[]) => (term: Term) => qualityOf(tokens, term) > PART;
  const counts = (item.sentences ?? []).map((sentence) => terms.filter(isIn(tokensOf(sentence))).length);
  const most = Math.max(0, ...counts);
  const isShown = (term: Term) => qualityOf([...name, ...note], term) >= START;
  const isNeeded = most > 0 && !terms.every(isShown);
  return {
    item,
    sentence: isNeeded ? item.sentences?.[counts.indexOf(most)] : undefined,
    isMention: !terms.some((term) => qualityOf(name, term) > 0),
  };
}

interface Index {
  name: readonly string[];
  note: readonly string[];
  text: readonly string[];
}

const indices = new WeakMap<Searchable, Index>();

function indexOf(item: Searchable): Index {
  const known = indices.get(item);
  if (known) return known;
  const { badge, name, note = "", place = "", sentences = [] } = item;
  const index = {
    name: tokensOf(`${badge?.textContent ?? ""} ${name}`),
    note: tokensOf(`${note} ${place}`).filter((token) => !/^\d+$/.test(token)), // a count
    text: tokensOf(sentences.join(" ")),
  };
  indices.set(item, index);
  return index;
}

/** `pageSize, D-29` → pagesize, page, size, d-29, d. A number within a word is none. */
function tokensOf(text: string): string[] {
  const whole = fold(text).split(/\s+/).map(trim);
  const parts = fold(text).split(/[^\p{L}\p{N}]+/u);
  const humps = fold(text.split(/(?<=\p{Ll})(?=\p{Lu})/u).join(" ")).split(/[^\p{L}\p{N}]+/u);
  const words = [...parts, ...humps].filter((part) => !/^\d+$/.test(part));
  return [...new Set([...whole, ...words])].filter(Boolean);
}

const [NAME, NOTE, TEXT] = [4, 2, 1];
const [WHOLE, START, PART] = [3, 1, 0.2];
const SYNONYM = 0.9; // less than a start of the word itself

/** How well a place has a word; 0 if it does not. Within a text, a part of a word means something else. */
function scoreOf({ name, note, text }: Index, term: Term): number {
  const inText = qualityOf(text, term);
  return Math.max(NAME * qualityOf(name, term), NOTE * qualityOf(note, term), inText > PART ? TEXT * inText : 0);
}

function qualityOf(tokens: readonly string[], { word, stem, others }: Term): number {
  const isNumber = /\d$/.test(word); // 50 is no start of 503
  let best = 0;
  for (const token of tokens) {
    if (token === word) return WHOLE;
    if (!isNumber && token.startsWith(stem)) best = Math.max(best, START + stem.length / token.length);
    else if (others.includes(token)) best = Math.max(best, SYNONYM);
    else if (token.includes(word)) best = Math.max(best, PART);
  }
  return best;
}

/** The share of a name that was typed. */
function shareOf(name: readonly string[], terms: readonly Term[]): number {
  const typed = name.filter((token) => terms.some((term) => qualityOf([token], term) >= START));
  return typed.length / Math.max(1, name.length);
}

function toTerm(word: string): Term {
  const [, stem = word] = /^(.{4,}?)(?:ations?|ating|ate[sd]?|ings?|ed|es|s|e|y)$/.exec(word) ?? [];
  const others = SYNONYMS.filter((line) => line.some((other) => other === word || other === stem)).flat();
  return { word, stem, others };
}

/** Without capitals and accents: `ines` finds Inès. */
export const fold = (text: string) => text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();

const trim = (text: string) => text.replaceAll(/^[^\p{L}\p{N}§/]+|[^\p{L}\p{N}]+$/gu, "");
