// The lint rule on the sources and decisions of the contract.
import { describe, expect, test } from "vitest";
import { type Contract, loadContract } from "../../src/contract/contract.js";
import { toContractFile } from "../../src/contract/contract-file.js";
import type { OpenApiDocument } from "../../src/contract/openapi-document.js";
import { provenance } from "../../src/review/lint/provenance.js";

const contract = await loadContract();
const { text } = contract.file;

const findViolations = ({ document, file }: Pick<Contract, "document" | "file">) =>
  provenance({ ...contract, document }).map(({ pointer, message }) => ({ message, line: file.lineOf(pointer) }));

describe("the provenance of the contract", () => {
  test("every place of openapi.yaml has a source or a decision, and every decision is used", () => {
    expect(findViolations(contract)).toEqual([]);
  });

  test.each([
    ["a parameter without either", 'x-source: ["§4.2", "§8"]\n      x-decision: [D-27, D-29]', "", "limit has neither"],
    ["a property without either", ", x-decision: D-24", "", "hasMore has neither"],
    ["a header without either", "\n      example: GET, HEAD, OPTIONS\n      x-decision: D-51", "", "Allow has neither"],
    ["a clause that does not exist", '"§9.2"', '"§9.7"', "§9.7, which is no clause"],
    ["a response without either", 'x-source: "§4.2"\n          x-decision: [D-23, D-68]', "", "200 has neither"],
    ["a decision that does not exist", "x-decision: D-24", "x-decision: D-99", "D-99, which is no decision"],
    [
      "a decision that is not used",
      "\n  D-71:",
      "\n  D-98:\n    question: x\n    clause: §6\n    answer: x\n    basis: judgement\n    date: 2026-01-01\n    revisit: x\n  D-71:",
      "D-98 is not used",
    ],
    [
      "a decision without an answer",
      "answer: 24 hours, and at most the latest 10,000 responses of each environment.",
      "answer: ''",
      "D-60 has no answer",
    ],
  ])("%s is found, with its line", (_title, found, replacement, message) => {
    expect(text).toContain(found);
    const file = toContractFile({ path: "openapi.yaml", text: text.replace(found, replacement), digest: "" });
    const findings = findViolations({ document: file.value as OpenApiDocument, file });
    expect(findings.map((finding) => finding.message).join("\n")).toContain(message);
    const line = text.slice(0, text.indexOf(found)).split("\n").length;
    expect(findings.some((finding) => Math.abs(finding.line - line) < 12)).toBe(true);
  });
});
