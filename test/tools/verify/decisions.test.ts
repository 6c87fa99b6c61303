// Each decision has a case that cites it, or a reason why none can. A case may cite a sentence of the answer by its
// number: `D-26.3`.
import { expect, test } from "vitest";
import { loadContract } from "../../../src/contract/contract.js";
import { isSelected } from "../../../src/tools/verify/case-run.js";
import { createSuite } from "../../../src/tools/verify/suite.js";

/** Decisions without a case, by the reason why a client cannot test them. */
const WITHOUT_CASE: Readonly<Record<string, string>> = {
  "it says what is outside the contract, or how the contract changes": "D-01 D-13 D-63 D-64",
  "advice for clients, or a permission": "D-70 D-75",
  "whether rates are limited is not ours to say; its headers are checked in all responses": "D-54",
  "no request may lead to it": "D-55 D-56",
  "only this project's servers do that; tests of the project": "D-71",
  "the response comes before the operations, from whatever server is in front": "D-73",
};

const { document } = await loadContract();
const SENTENCES = new Set(
  Object.entries(document["x-decisions"]).flatMap(([id, { answer }]) => {
    const sentences = answer.replaceAll(/\s+/g, " ").split(/(?<=[.!?]) (?=[A-Z`"0-9])/);
    return sentences.map((_sentence, index) => `${id}.${index + 1}`);
  }),
);
const suite = createSuite(await loadContract());
const cites = suite.flatMap((testCase) => testCase.cites);
const cited = new Set(cites.map((cite) => cite.replace(/\..*/, "")));
const excused = Object.values(WITHOUT_CASE).flatMap((list) => list.split(" "));

test("each decision has a case that cites it, or a reason", () => {
  const missing = Object.keys(document["x-decisions"]).filter((id) => !cited.has(id));
  expect(missing.toSorted()).toEqual(excused.toSorted());
});

test("`document` and `decision` select each case once, by what requires it", () => {
  const [ofDocument, ofDecisions] = ["document", "decision"].map((text) =>
    suite.filter((one) => isSelected(one, text)),
  );
  expect(ofDocument?.every((one) => one.cites.some((cite) => cite.startsWith("§")))).toBe(true);
  expect(ofDecisions?.every((one) => one.cites.every((cite) => cite.startsWith("D-")))).toBe(true);
  expect(new Set([...(ofDocument ?? []), ...(ofDecisions ?? [])]).size).toBe(suite.length);
});

test("a case cites only sentences that exist", () => {
  const sentences = cites.filter((cite) => /^D-\d+\./.test(cite));
  expect(sentences.length).toBeGreaterThan(80);
  expect(sentences.filter((id) => !SENTENCES.has(id))).toEqual([]);
});
