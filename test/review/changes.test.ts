// Each kind of edit gets its verdict for both sides, and each break has a witness. Servers of both versions confirm it. The
// quick suite judges a sample of the edits, and proves some of them.
import { describe, expect, test } from "vitest";
import type { Contract } from "../../src/contract/contract.js";
import type { Change } from "../../src/review/changes/change.js";
import { findChanges } from "../../src/review/changes/find-changes.js";
import { reviewDecisions } from "../../src/review/decision-review.js";
import { findReasons } from "../../src/review/find-reasons.js";
import { agreements } from "../../src/review/lint/agreements.js";
import { reviewVersion } from "../../src/review/version-bump.js";
import { SIZES } from "../support/sizes.js";
import { type Edit, editContract } from "./contract-edit.js";
import type { Verdict } from "./contract-edits.js";
import { EDITS } from "./edits.js";
import { proveWitness } from "./proof.js";

describe("an edit of the contract", () => {
  const loaded = new Map<Edit | undefined, Contract>();
  const load = (edit: Edit | undefined) => {
    const contract = loaded.get(edit) ?? editContract(edit);
    loaded.set(edit, contract);
    return contract;
  };

  const rows = EDITS.map((row, index) => ({ ...row, isProven: index % SIZES.everyProof === 0 }));

  test.each(rows.filter((_row, index) => index % SIZES.everyEdit === 0))("$title", async (row) => {
    const { base, edit, want, noWitness } = row;
    const [before, after] = [load(base), load(edit)];
    const changes = findChanges(before, after);
    const verdicts = Object.fromEntries(changes.map((change) => [change.id, toVerdict(change)]));
    expect(verdicts).toMatchObject(want);
    const others = changes.filter((change) => isOnTheWire(change) && !Object.hasOwn(want, change.id));
    expect(others, "no change but the wanted ones").toEqual([]);
    if (row.reasons) expect(reasonsOf(changes, before, after).toSorted()).toEqual(row.reasons.toSorted());
    for (const { id, breaks, witnesses } of changes.filter((change) => change.breaks.length > 0)) {
      expect(Object.keys(witnesses).length === breaks.length, `${id} has its witnesses`).toBe(!noWitness);
      if (!row.isProven || row.unproven) continue;
      for (const witness of Object.values(witnesses)) await proveWitness(witness, before, after);
    }
  });

  test("there are enough of them", () => {
    expect(EDITS.length).toBeGreaterThanOrEqual(180);
    expect(new Set(EDITS.map(({ title }) => title)).size).toBe(EDITS.length);
  });
});

/** Ids of the reasons, without those that need a server or all lint rules. */
function reasonsOf(changes: Change[], base: Contract, contract: Contract): string[] {
  const [was, is] = [base, contract].map(({ document }) => document.info.version);
  const lint = agreements(contract.document).map(({ pointer, message }) => ({
    ...{ rule: "agreements", isError: true, message, place: pointer.join("/"), line: 1 },
  }));
  const decisions = reviewDecisions(contract, base, new Date("2026-12-01"));
  const version = reviewVersion(changes, String(was), String(is));
  const findings = { changes, version, decisions, lint, base: { name: "base", version: String(was) } };
  return findReasons({ ...findings, examples: [], trace: [] }).map(({ id }) => id);
}

function toVerdict({ class: kind, breaks }: Change): Verdict {
  if (kind === "editorial") return "editorial";
  return breaks.length === 2 ? "both" : (breaks[0] ?? "neither");
}

function isOnTheWire({ side, class: kind }: Change): boolean {
  return side !== "text" || kind === "breaking";
}
