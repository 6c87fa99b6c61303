// Each sentence of each decision has a case that cites it, or a reason why no case can. Sentences are numbered as they stand in
// the answer: `D-26.3`.
import { expect, test } from "vitest";
import { loadContract } from "../../src/contract/contract.js";
import { createSuite } from "../../src/verify/suite.js";
import { WITHOUT_CASE } from "./sentences-without-case.js";

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
