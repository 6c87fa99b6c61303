// A run that ends early leaves the target as it was, and says so.
import { describe, expect, test } from "vitest";
import { loadContract } from "../../../src/contract/contract.js";
import { TARGETS } from "../../../src/tools/verify/target.js";
import { type VerifyOptions, verify } from "../../../src/tools/verify/verify.js";
import { type Backend, Rejection, startBackend } from "./backend.js";
import { MAIN_KEY, TARGET_DATA } from "./backend-data.js";

const contract = await loadContract();
const CHANGING = ["updatePreferences › a", "concurrent"];

/** Runs until something happens, with preferences that differ from the defaults. */
async function runUntil(options: Partial<VerifyOptions>, plant: (backend: Backend) => void = () => {}) {
  let backend: Backend | undefined;
  const running = await startBackend((created) => {
    backend = created;
    plant(created);
  });
  const preferences = () => backend?.environments.get(MAIN_KEY)?.preferences;
  preferences()?.set("ada", { global: { email: false }, workflows: {} });
  const shown = () => JSON.stringify(["ada", "grace-42"].map((id) => preferences()?.get(id)?.global.email ?? true));
  const before = shown();
  const target = { ...TARGET_DATA, ...TARGETS.implementation, url: running.url };
  const report = await verify({ contract, target, seed: 1, runs: 5, only: CHANGING, ...options }).finally(
    running.close,
  );
  return { report, before, after: shown() };
}

describe("a run that is stopped restores the preferences", () => {
  test("by a signal, in the middle of a case", async () => {
    const controller = new AbortController();
    let updates = 0;
    const { report, before, after } = await runUntil({
      signal: controller.signal,
      onExchange: ({ request }) => {
        if (request.method === "PATCH" && ++updates === 40) controller.abort("the run was interrupted (SIGINT)");
      },
    });
    expect(after).toBe(before);
    expect(report.incomplete).toBe("the run was interrupted (SIGINT)");
    expect(report.changed).toContain("The preferences of ada were changed and restored.");
    const reasons = report.results.map(({ reason }) => reason);
    expect(reasons.filter((reason) => reason === "the run was interrupted (SIGINT)").length).toBeGreaterThan(5);
  });

  test("by an exception in a case", async () => {
    const { report, before, after } = await runUntil({
      onExchange: ({ request }) => {
        if (request.body?.toString().includes('"push":false')) throw new Error("a bug of the suite");
      },
    });
    expect(after).toBe(before);
    expect(report.results.some(({ outcome }) => outcome === "error")).toBe(true);
  });

  test("where the target does not let it, it says what they were", async () => {
    let updates = 0;
    const { report } = await runUntil({}, (backend) => {
      const { store } = backend;
      backend.store = (own, channels, workflow) => {
        if (++updates > 100) throw new Rejection(503, {}, { "retry-after": "1" });
        return store.call(backend, own, channels, workflow);
      };
    });
    expect(report.changed.join("\n")).toMatch(
      /The preferences of ada could not be restored .*They were .*"email":false/,
    );
  });
});
