// Ranks places by what was typed: names before texts, whole words before starts, all words before some. Without a DOM.
import MiniSearch, { type Query, type SearchOptions, type SearchResult } from "minisearch";
import { findNearestName } from "../../contract/nearest-name.js";
import { fold, stemOf, synonymsOf, tokenize, wordsOf } from "./words.js";

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
  /** True for what says how to do something: a question finds it first. */
  isAnswer?: boolean;
  /** True if a server found it, perhaps by a part in the middle of a word. */
  isFound?: boolean;
}

export interface Match<Item> {
  item: Item;
  /** The sentence with most of the words, if name and note lack one, or have its synonym. */
  sentence: string | undefined;
  /** True if neither the name nor an answer has any of the words. */
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

/** Returns a search, which keeps the index of the items of its last call. It corrects words that no place has. */
export function createSearch<Item extends Searchable>(): (items: readonly Item[], text: string) => Found<Item> {
  const index: MiniSearch<Item> = new MiniSearch({
    fields: ["name", "note", "alias", "text"],
    extractField: readField,
    tokenize,
    processTerm: fold,
    searchOptions: {
      tokenize: (word) => [word],
      boost: { name: 4, note: 2, alias: 2 },
      boostDocument: ({ weight = 1 }) => weight,
      prefix: (word) => !/\d$/.test(word) || !isKnown(word, { prefix: false }), // 50 is no start of 503
    },
  });
  const isKnown = (query: Query, options: SearchOptions = {}) => index.search(query, options).length > 0;

  function correct(word: string): string {
    if (word.length < 5 || isKnown(toQuery(word))) return word; // too many others are near a shorter one
    const near = index.search(word, { fuzzy: 0.3 }).flatMap(({ terms }) => terms);
    return findNearestName(word, near) ?? word;
  }

  let indexed: readonly Item[] = [];
  return (items, text) => {
    const current = new Set(items);
    index.discardAll(indexed.filter((item) => !current.has(item)));
    index.addAll(items.filter((item) => !index.has(item)));
    indexed = items;
    const typed = wordsOf(text);
    const words = typed.map(correct);
    const queries = words.map(toQuery);
    const options = isQuestion(text) ? FOR_QUESTIONS : {};
    const all = index.search({ combineWith: "AND", queries }, options);
    const results = all.length > 0 ? all : index.search({ combineWith: "OR", queries }, options);
    const stems = words.map(stemOf);
    const others = results.length > 0 ? [] : items.filter(({ isFound }) => isFound);
    const toFound = (item: Item) => ({ item, sentence: undefined, isMention: false });
    const matches = [...results.map((result) => toMatch(result, stems)), ...others.map(toFound)];
    const isTyped = words.join() === typed.join();
    const count = `${matches.length} found`;
    const some = all.length === results.length ? count : `No place has all words: ${count} with some`;
    const note = isTyped ? some : `Did you mean ${words.join(" ")}? ${count}`;
    return {
      matches,
      words: stems,
      note: matches.length > 0 ? note : "Nothing found: try another word",
      isExact: isTyped && all.length > 0,
    };
  };
}

const isQuestion = (text: string) =>
  /^(how|what|why|when|where|which|can|does|do|is|are|should)\b|\?$/i.test(text.trim());

const FOR_QUESTIONS: SearchOptions = {
  boostDocument: ({ weight = 1, isAnswer = false }: Searchable) => weight * (isAnswer ? 10 : 1),
};

function readField(item: Searchable, field: string): unknown {
  const { badge, name, note = "", place = "", sentences = [], isAnswer = false } = item;
  if (field === "name") return `${badge?.textContent ?? ""} ${name}`;
  if (field === "alias") return isAnswer ? sentences.join(" ") : ""; // what others call it
  if (field === "note") return `${note.replace(/^\d+$/, "")} ${place}`; // without a count
  return field === "text" ? sentences.join(" ") : item; // its own id
}

/** A word, what starts like it, and its synonyms. */
function toQuery(word: string): Query {
  const synonyms = { queries: synonymsOf(word), prefix: false, boostTerm: () => 0.1 };
  return { combineWith: "OR", queries: [...new Set([word, stemOf(word)]), synonyms] };
}

function toMatch({ id: item, match, terms }: SearchResult, stems: readonly string[]) {
  const { sentences = [] }: Searchable = item;
  const isIn = (fields: readonly string[]) => (term: string) => match[term]?.some((field) => fields.includes(field));
  const shown = terms.filter(isIn(["name", "note"]));
  const isShown = stems.every((stem) => shown.some((term) => term.startsWith(stem)));
  const hasTerm = (word: string) => tokenize(word).some((token) => terms.includes(fold(token)));
  const counts = sentences.map((sentence) => sentence.split(" ").filter(hasTerm).length);
  const most = Math.max(0, ...counts);
  const sentence = most > 0 && !isShown ? sentences[counts.indexOf(most)] : undefined;
  return { item, sentence, isMention: !terms.some(isIn(["name", "alias"])) };
}
