// What the search of the pages finds, and what comes first.
import { expect, test } from "vitest";
import { findMatches, type Searchable } from "../../src/pages/docs/place.js";

const PLACES: Searchable[] = [
  { group: "Parameters", name: "limit", badge: "query", note: "listNotifications", text: "At most 50. Page size." },
  { group: "Headers", name: "RateLimit-Limit", text: "Requests in the bucket." },
  { group: "Responses", name: "The change could not be stored.", badge: "503" },
  { group: "Decisions", name: "May they have a fraction?", badge: "D-50", text: "No. A limit is an integer." },
  { group: "Members", name: "pageSize", note: "NotificationPage" },
  { group: "Operations", name: "Delete an environment", badge: "DELETE", note: "deleteEnvironment" },
  { group: "Actions", name: "Delete environment checkout", isTop: true },
  { group: "Guides", name: "Page through a list", isTop: true },
  { group: "Subscribers", name: "Inès Moreau", note: "ines-moreau", isFound: true },
];

test.each([
  [
    "what is called so, then what has the word, then what says it",
    "limit",
    ["limit", "RateLimit-Limit", "May they have a fraction?"],
  ],
  ["a guide before names, whose words begin so", "pag", ["Page through a list", "pageSize", "limit"]],
  ["a guide by all words of its heading", "list through", ["Page through a list"]],
  ["the parts of a name, and its whole", "pagesize", ["pageSize"]],
  ["an id with its hyphen", "d-50", ["May they have a fraction?"]],
  [
    "a number, then what begins with it",
    "50",
    ["May they have a fraction?", "The change could not be stored.", "limit"],
  ],
  ["an action before an operation", "delete", ["Delete environment checkout", "Delete an environment"]],
  ["an operation by its id", "deleteEnv", ["Delete an environment"]],
  ["words of name, place and text", "limit size query", ["limit"]],
  ["nothing for a word within another, or for one that none has", "onment", []],
])("a search finds %s", (_title, typed, names) => {
  const found = findMatches(PLACES, typed).filter(({ isFound }) => !isFound);
  expect(found.map(({ name }) => name)).toEqual(names);
});

test("it keeps what a server found, without accents, and says what is only mentioned", () => {
  expect(findMatches(PLACES, "ines mor")).toEqual([PLACES[8]]);
  expect(findMatches(PLACES, "oreau")).toEqual([PLACES[8]]);
  expect(findMatches(PLACES, "bucket")[1]?.group).toBe("Mentioned in");
});
