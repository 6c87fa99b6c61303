// A run that ends early leaves the target as it was, and says so.
import { describe, expect, test } from "vitest";
import { type Backend, Rejection } from "./backend.js";
import { MAIN_KEY } from "./backend-data.js";
import { around } from "./plant.js";
import { type BackendRun, verifyBackend } from "./verify-backend.js";

const CHANGING = ["updatePreferences › a", "concurrent"];

/** Runs until something happens, with preferences that differ from the defaults. */
async function runUntil(options: BackendRun, plant: (backend: Backend) => void = () => {}) {
  let shown = () => "";
  let before = "";
  const plantAll = (backend: Backend) => {
    const preferences = backend.environments.get(MAIN_KEY)?.preferences;
    preferences?.set("ada", { global: { email: false }, workflows: {} });
    shown = () => JSON.stringify(["ada", "grace-42"].map((id) => preferences?.get(id)?.global.email ?? true));
    before = shown();
    plant(backend);
  };
  const report = await verifyBackend(plantAll, { runs: 5, only: CHANGING, ...options });
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

  test("unless the target rejects that; then it says what they were", async () => {
    let updates = 0;
    const failLate = around("store", ({ original }, ...change) => {
      if (++updates > 100) throw new Rejection(503, {}, { "retry-after": "1" });
      return original(...change);
    });
    const { report } = await runUntil({}, failLate);
    expect(report.changed.join("\n")).toMatch(
      /The preferences of ada could not be restored .*They were .*"email":false/,
    );
  });
});
