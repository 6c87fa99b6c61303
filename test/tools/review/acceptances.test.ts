// Reasons that a team has accepted: which they take along, when they expire, and what can never be accepted.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CONTRACT_PATH } from "../../../src/contract/contract-file.js";
import { type Acceptance, loadAcceptances, settle } from "../../../src/tools/review/acceptances.js";
import type { RejectionReason } from "../../../src/tools/review/reasons.js";
import { formatMarkdown } from "../../../src/tools/review/report/review-report.js";
import { reviewContract } from "../../../src/tools/review/review.js";
import { createTemporaryFolder } from "../../support/temporary-folder.js";

const reason = (id: string, follows: RejectionReason[] = []): RejectionReason => ({
  ...{ id, kind: "breaking", message: `${id} changed.`, line: 1 },
  ...(follows.length > 0 ? { follows } : {}),
});
const REASONS = [reason("list:query.limit:maximum", [reason("lint:a"), reason("example:b")]), reason("version")];
const [LIMIT, LINT, EXAMPLE, VERSION] = ["list:query.limit:maximum", "lint:a", "example:b", "version"] as const;
const ALL = [LIMIT, LINT, EXAMPLE, VERSION];
const TODAY = new Date("2026-11-02");

type Row = [title: string, acceptances: Acceptance[], rejected: string[], unused: string[]];

describe("acceptances", () => {
  test.each<Row>([
    ["none", [], ALL, []],
    ["of a cause: what follows goes with it", [{ match: "limit:max", reason: "agreed" }], ["version"], []],
    ["of what follows alone", [{ match: "lint:a", reason: "x" }], [LIMIT, EXAMPLE, VERSION], []],
    ["in force on its last day", [{ match: "version", reason: "x", until: "2026-11-02" }], [LIMIT, LINT, EXAMPLE], []],
    ["expired: it rejects", [{ match: "version", reason: "x", until: "2026-11-01" }], ALL, []],
    ["unused: it is named", [{ match: "header", reason: "x" }], ALL, ["The acceptance header"]],
    ["of --allow: the whole id", [{ match: "limit:max", reason: "x", isWhole: true }], ALL, ["--allow limit:max"]],
  ])("%s", (_title, acceptances, want, unused) => {
    const settled = settle(REASONS, acceptances, TODAY);
    const ids = settled.rejected.flatMap(({ id, follows = [] }) => [id, ...follows.map((one) => one.id)]);
    expect(ids).toEqual(want);
    expect(settled.unused).toEqual(unused);
  });

  test("of all that follows from a change that is no reason itself: nothing is left of it", () => {
    const follows = [reason("lint:a"), reason("example:b")];
    const change: RejectionReason = { ...reason("list:query.limit:maximum", follows), kind: "correction" };
    const [lint, example] = ["lint:a", "example:b"].map((match) => ({ match, reason: "x" })) as [
      Acceptance,
      Acceptance,
    ];
    expect(settle([change], [lint], TODAY).rejected.map(({ id }) => id)).toEqual([LIMIT]);
    expect(settle([change], [lint, example], TODAY).rejected).toEqual([]);
  });

  test("an expired one is named where it rejects", () => {
    const expired = { match: "version", reason: "until the release", until: "2026-11-01" };
    const lapse = "was accepted until 2026-11-01: until the release";
    expect(settle(REASONS, [expired], TODAY).rejected.at(-1)?.expired).toBe(lapse);
    const covered = settle(REASONS, [expired, { match: "v", reason: "all" }], TODAY);
    const both = "all (version was accepted until 2026-11-01: until the release)";
    expect(covered.allowed.at(-1)?.justification, "also where a wider one covers it").toBe(both);
    const ofCause = { match: "limit:max", reason: "all" };
    const ofEffect = settle(REASONS, [{ ...expired, match: "lint:a" }, ofCause], TODAY);
    expect(ofEffect.allowed[0]?.justification, "or its cause").toMatch(/^all \(lint:a was accepted until/);
  });
});

describe("a contract that cannot be read", () => {
  test("is never accepted, and the report offers no option for it", async () => {
    const contractPath = join(await createTemporaryFolder(), "broken.yaml");
    await writeFile(contractPath, "openapi: 3.1.0\npaths: {}\n");
    const acceptances = [
      { match: "review:loading-the-contract", reason: "ok", isWhole: true },
      { match: "review", reason: "ok" },
    ];
    const review = await reviewContract({ contractPath, base: CONTRACT_PATH, acceptances });
    expect([review.verdict, review.reasons.map(({ id }) => id)]).toEqual(["reject", ["review:loading-the-contract"]]);
    expect(formatMarkdown(review)).not.toContain("--allow");
    expect(formatMarkdown(review)).toContain("It cannot be accepted");
  });

  test.each([
    ["no list", "{}", /must be an array/],
    ["without a reason", '[{ "match": "a" }]', /reason is required/],
    ["of a match that anything has", `[{ "match": "version", "reason": "x" }]`, /shorter than 8/],
  ])("a file of acceptances that is %s is an error", async (_title, text, message) => {
    const path = join(await createTemporaryFolder(), "review.acceptances.json");
    await writeFile(path, text);
    expect(() => loadAcceptances(path)).toThrow(message);
    expect(loadAcceptances(), "no such file here").toEqual([]);
  });
});
