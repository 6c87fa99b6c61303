// Judges a mutant by the cases that should detect it.
import type { Contract } from "../../src/contract/contract.js";
import type { Case } from "../../src/verify/case.js";
import { isNamed } from "../../src/verify/run-case.js";
import { DEMO_DATA, TARGETS } from "../../src/verify/target.js";
import { findFailingCase } from "../support/failing-case.js";
import type { MutableServer, Mutation } from "./mutable-server.js";

/** What a mutant is judged by: `suite` are all cases of the contract. */
export interface Judge {
  server: MutableServer;
  contract: Contract;
  suite: readonly Case[];
}

/**
 * The id of the first case that fails; undefined when the mutant survives.
 * @param only parts of the names of the cases, or their citations.
 */
export async function findKiller(
  { server, contract, suite }: Judge,
  mutation: Mutation,
  only: readonly string[],
): Promise<string | undefined> {
  const cases = suite.filter((one) => only.some((text) => isNamed(one, text)));
  const { close, ...keys } = await server.start(mutation);
  const target = { ...DEMO_DATA, ...TARGETS.reference, ...keys };
  const random = { seed: 1, runs: 40, limitMs: 20_000 };
  return findFailingCase(cases, { contract, target, random }).finally(close);
}
