// Runs the suite against a mutant: first the cases that cite what it violates, then all of them.
import type { Contract } from "../../src/contract/contract.js";
import { DEMO_DATA, TARGETS } from "../../src/verify/target.js";
import { verify } from "../../src/verify/verify.js";
import type { MutableServer, Mutation } from "./mutable-server.js";

export interface Verdict {
  /** The case that fails; undefined when the mutant survives. */
  killedBy: string | undefined;
  /** Whether it is one of the cases that should fail. */
  isExpected: boolean;
}

export async function judge(
  server: MutableServer,
  contract: Contract,
  mutation: Mutation,
  only: readonly string[],
  isWhole = true,
): Promise<Verdict> {
  const mutant = await server.start(mutation);
  const { url, apiKey, otherApiKey } = mutant;
  const target = { ...DEMO_DATA, ...TARGETS.reference, url, apiKey, otherApiKey };
  const run = async (texts: readonly string[]) => {
    const options = { contract, target, seed: 1, runs: 40, only: texts, stopAtFirstFailure: true };
    const { results } = await verify(options);
    return results.find(({ outcome }) => outcome === "fail" || outcome === "error")?.id;
  };
  try {
    const first = only.length > 0 ? await run(only) : undefined;
    if (first !== undefined || !isWhole) return { killedBy: first, isExpected: true };
    return { killedBy: await run([]), isExpected: false };
  } finally {
    await mutant.close();
  }
}
