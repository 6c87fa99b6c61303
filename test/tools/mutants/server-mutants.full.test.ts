// Promises of our own server alone: citations in errors, further headers. Each row breaks one of them, which
// must fail a case that cites it; without a mutation no case fails (test/browser/fetch/verify.full.test.ts).
// test/tools/verify/planted-bugs.ts breaks the promises of all servers.
import { describe, expect, test } from "vitest";
import { loadContract } from "../../../src/contract/contract.js";
import { loadSeed } from "../../../src/server/store/seed.js";
import { createSuite } from "../../../src/tools/verify/suite.js";
import { findKiller, type Mutation } from "./mutant-server.js";

type Mutant = [
  /** The clause or decision that it violates; cases that cite it should fail. */
  cite: string,
  title: string,
  mutation: Mutation,
  /** If those cases are many: parts of the names of the ones that should fail. */
  ...only: string[],
];

const inErrors = (change: (error: Record<string, unknown>) => unknown): Mutation => ({
  response: (_headers, { error }) => void (error && change(error)),
});
const inHeaders = (change: (headers: Headers) => void): Mutation => ({ response: change });

const MUTANTS: Mutant[] = [
  ["D-48", "no ctx in errors", inErrors((error) => delete error.ctx), "§4.2"],
  ["D-48", "an unknown decision", inErrors((error) => Object.assign(error, { ctx: { decision: "D-99" } })), "§4.2"],
  ["D-66", "no X-Request-Id", inHeaders((headers) => headers.delete("x-request-id")), "§4.2"],
  ["D-66", "X-Request-Id is always the same", inHeaders((headers) => headers.set("x-request-id", "1"))],
  ["D-54", "RateLimit-Remaining alone", inHeaders((headers) => headers.set("ratelimit-remaining", "5")), "§4.2"],
  ["§7", "a header that is not declared", inHeaders((headers) => headers.set("x-powered-by", "Express")), "§4.2"],
];

const contract = await loadContract();
const judge = { contract, suite: createSuite(contract), seed: await loadSeed("demo", contract) };

describe("wrong servers", () => {
  test.each(MUTANTS)("%s: %s", async (cite, _title, mutation, ...only) => {
    const cases = only.length > 0 ? only : [cite];
    expect(await findKiller(judge, cases, mutation)).toBeDefined();
  });
});
