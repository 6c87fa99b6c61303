// Each sentence of each decision has a case that cites it, or a reason why no case can. Sentences are numbered as they stand in
// the answer: `D-26.3`.
import { expect, test } from "vitest";
import { loadContract } from "../../../src/contract/contract.js";
import { createSuite } from "../../../src/tools/verify/suite.js";

/** Sentences without a case, by the reason why a client cannot see whether they hold. */
const WITHOUT_CASE: Readonly<Record<string, string>> = {
  "it says what is outside the contract, or how the contract changes":
    "D-01.1 D-01.2 D-13.1 D-63.1 D-63.2 D-64.1 D-64.2 D-70.2",
  "a reason, or what the live service does":
    "D-03.2 D-12.2 D-17.2 D-17.3 D-24.2 D-28.2 D-39.3 D-40.2 D-40.3 D-51.2 D-53.2 D-59.4 D-61.5 D-71.3 D-72.2",
  "advice for clients, or a permission": "D-13.2 D-39.2 D-70.1 D-75.1 D-75.2 D-76.2 D-82.2",
  "it depends on data that no client can create": "D-14.2 D-20.2 D-22.2",
  "it is about the control plane, the seeds or a setting of the reference server": "D-16.4 D-42.3 D-68.4 D-75.3 D-75.4",
  "whether rates are limited is not ours to say; its headers are checked in all responses": "D-54.1 D-54.2 D-54.3",
  "no request may lead to it; its examples are requested with Prefer": "D-55.1 D-56.1 D-56.2 D-56.3",
  "the response comes before the operations, from whatever server is in front": "D-73.1 D-73.2 D-73.3",
};

const contract = await loadContract();

const SENTENCES = new Map(
  Object.entries(contract.document["x-decisions"]).flatMap(([id, { answer }]) =>
    answer
      .replaceAll(/\s+/g, " ")
      .split(/(?<=[.!?]) (?=[A-Z`"0-9])/)
      .map((sentence, index): [string, string] => [`${id}.${index + 1}`, sentence]),
  ),
);
const CITED = new Set(createSuite(contract).flatMap(({ cites }) => cites));
const EXCUSED = new Set(Object.values(WITHOUT_CASE).flatMap((list) => list.split(" ")));

test("each sentence of a decision has a case that cites it, or a reason", () => {
  const lacking = [...SENTENCES].filter(([id]) => !CITED.has(id) && !EXCUSED.has(id));
  expect(Object.fromEntries(lacking)).toEqual({});
});

test("no reason is given for a sentence that a case cites, or that does not exist", () => {
  expect([...EXCUSED].filter((id) => CITED.has(id) || !SENTENCES.has(id))).toEqual([]);
});

test("a case cites only sentences that exist", () => {
  const sentences = [...CITED].filter((cite) => /^D-\d+\./.test(cite));
  expect(sentences.length).toBeGreaterThan(80);
  expect(sentences.filter((id) => !SENTENCES.has(id))).toEqual([]);
});
