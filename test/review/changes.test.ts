// Each kind of edit gets its class, and each breaking change has a witness. Servers of both versions confirm it, in the
// quick suite for a sample of the edits.
import { describe, expect, test } from "vitest";
import type { Contract } from "../../src/contract/contract.js";
import type { Change } from "../../src/review/changes/change.js";
import { findChanges } from "../../src/review/changes/find-changes.js";
import { SIZES } from "../support/sizes.js";
import { type Edit, editContract } from "./contract-edit.js";
import { EDITS } from "./contract-edits.js";
import { proveWitness } from "./proof.js";

describe("an edit of the contract", () => {
  const loaded = new Map<Edit | undefined, Contract>();
  const load = (edit: Edit | undefined) => {
    const contract = loaded.get(edit) ?? editContract(edit);
    loaded.set(edit, contract);
    return contract;
  };

  test.each(EDITS.map((row, index) => ({ ...row, isProven: index % SIZES.everyProof === 0 })))(
    "$title",
    async (row) => {
      const { base, edit, want, noWitness } = row;
      const [before, after] = [load(base), load(edit)];
      const changes = findChanges(before, after);
      expect(Object.fromEntries(changes.map(({ id, class: kind }) => [id, kind]))).toMatchObject(want);
      const others = changes.filter((change) => isOnTheWire(change) && !Object.hasOwn(want, change.id));
      expect(others, "no change but the wanted ones").toEqual([]);
      for (const change of changes.filter(({ class: kind }) => kind === "breaking")) {
        expect(change.witness !== undefined, `${change.id} has a witness`).toBe(noWitness === undefined);
        if (change.witness && row.isProven && !row.unproven) await proveWitness(change.witness, before, after);
      }
    },
  );

  test("there are at least forty, and each direction of each kind", () => {
    expect(EDITS.length).toBeGreaterThan(40);
    expect(new Set(EDITS.map(({ title }) => title)).size).toBe(EDITS.length);
  });
});

function isOnTheWire({ side, class: kind }: Change): boolean {
  return side !== "text" || kind === "breaking";
}
