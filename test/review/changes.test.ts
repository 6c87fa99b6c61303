// Each kind of edit gets its class, and each break is shown by a witness. Servers of both versions bear it out: in the quick
// suite for a sample of the edits.
import { describe, expect, test, vi } from "vitest";
import { CONTRACT_PATH, loadContractText } from "../../src/contract/contract-file.js";
import type { Change } from "../../src/review/changes/change.js";
import { findChanges } from "../../src/review/changes/find-changes.js";
import { SIZES } from "../support/sizes.js";
import { useContractEdits } from "./contract-edit.js";
import { EDITS } from "./contract-edits.js";
import { proveWitness } from "./proof.js";

const { text } = loadContractText(CONTRACT_PATH);

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 }); // contracts are loaded, linted and served by the dozen

describe("an edit of the contract", () => {
  const load = useContractEdits();
  const unedited = new Map<unknown, ReturnType<typeof load>>();
  const loadOnce = () => unedited.get(text) ?? unedited.set(text, load(text)).get(text);

  test.each(EDITS.map((row, index) => ({ ...row, isProven: index % SIZES.everyProof === 0 })))(
    "$title",
    async (row) => {
      const { base, edit, want, noWitness } = row;
      const before = await (base ? load(text, base) : loadOnce());
      const after = await load(text, edit);
      if (!before) throw new Error("there is no contract to begin with");
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
