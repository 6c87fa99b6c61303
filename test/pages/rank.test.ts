// How the search of the pages ranks places.
import { expect, test } from "vitest";
import { createSearch, type Searchable } from "../../src/pages/script/rank.js";

const PLACES: Searchable[] = [
  {
    name: "limit",
    badge: { textContent: "query" },
    place: "listNotifications",
    sentences: ["at most 50", "Page size."],
  },
  { name: "RateLimit-Limit", sentences: ["Requests in the bucket."] },
  { name: "The change could not be stored.", badge: { textContent: "503" } },
  { name: "May they have a fraction?", badge: { textContent: "D-50" }, sentences: ["No. A limit is an integer."] },
  { name: "pageSize", note: "NotificationPage" },
  { name: "Delete an environment", note: "/_control/environments/{environment}" },
  { name: "List notifications", sentences: ["They are paginated.", "What is delivered counts."] },
  { name: "Schemas", note: "50" },
  { name: "Inès Moreau", note: "ines-moreau" },
  { name: "topicId" },
  { name: "topicKey", weight: 1.5 },
];

const search = createSearch();

test.each([
  ["a name in full before a part of it", "limit", ["limit", "RateLimit-Limit", "May they have a fraction?"]],
  ["a number that is not a part of another", "50", ["limit"]],
  ["a number that is typed in part", "5", ["The change could not be stored.", "limit"]],
  ["an id with its hyphen", "d-50", ["May they have a fraction?"]],
  ["the parts of a name, and its whole", "pagesize", ["pageSize"]],
  ["words without those that say nothing", "how do I size a page?", ["pageSize", "limit"]],
  ["another form of a word, and a synonym", "pagination", ["pageSize", "List notifications", "limit"]],
  ["another ending", "delivery", ["List notifications"]],
  ["a synonym", "remove environments", ["Delete an environment"]],
  ["a misspelled word", "enviroment", ["Delete an environment"]],
  ["a name without its accent", "ines mor", ["Inès Moreau"]],
  ["what is looked for more often first", "topic", ["topicKey", "topicId"]],
  ["some of the words", "limit colour", ["limit", "RateLimit-Limit", "May they have a fraction?"]],
  ["nothing for a short word that is near others", "sice", []],
])("a search finds %s", (_title, text, names) => {
  expect(search(PLACES, text).matches.map(({ item }) => item.name)).toEqual(names);
});

test.each([
  ["a word of the text alone", "delivered", "What is delivered counts.", true],
  ["a name and a text", "limit 50", "at most 50", false],
  ["a name alone", "list", undefined, false],
])("it shows the sentence that has %s", (_title, text, sentence, isMention) => {
  expect(search(PLACES, text).matches[0]).toMatchObject({ sentence, isMention });
});

test.each([
  ["how do I size a page?", "2 found"],
  ["limit xylophone", "No place has all words: 3 found with some"],
  ["enviroment", "Did you mean environment? 1 found"],
  ["xylophone", "Nothing found: try another word"],
])("%s: %s", (text, note) => {
  expect(search(PLACES, text)).toMatchObject({ note, isExact: /^\d/.test(note) });
});

test("a search follows its items", () => {
  const find = createSearch();
  const kept = { name: "Frozen clock" };
  for (const name of ["Clock of noon", "Clock of midnight"]) {
    expect(find([kept, { name }], "clock").matches.map(({ item }) => item.name)).toEqual([kept.name, name]);
  }
});

test("a search keeps what a server found by a part of a word, unless it finds a whole one", () => {
  const find = createSearch();
  const places = [{ name: "Inès Moreau", isFound: true }, { name: "East" }];
  expect(find(places, "eau")).toMatchObject({ matches: [{ item: places[0] }], note: "1 found" });
  expect(find(places, "eas")).toMatchObject({ matches: [{ item: places[1] }], note: "1 found" });
});
