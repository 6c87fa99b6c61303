// Runs the cases that should detect a mutant, one after the other, until one of them fails.
import type { Contract } from "../../src/contract/contract.js";
import type { Case } from "../../src/verify/case.js";
import { openTestContext } from "../../src/verify/open-test-context.js";
import { isNamed, runCase } from "../../src/verify/run-case.js";
import { DEMO_DATA, TARGETS } from "../../src/verify/target.js";
import type { MutableServer, Mutation } from "./mutable-server.js";

/** What a mutant is judged by: `suite` are all cases of the contract. */
export interface Judge {
  server: MutableServer;
  contract: Contract;
  suite: readonly Case[];
}

/**
 * The id of the first case that fails; undefined when the mutant survives.
 * @param only parts of the names of the cases, or their citations; default: all cases.
 */
export async function findKiller(
  { server, contract, suite }: Judge,
  mutation: Mutation,
  only: readonly string[] = [""],
): Promise<string | undefined> {
  const cases = suite.filter((one) => only.some((text) => isNamed(one, text)));
  if (cases.length === 0) throw new Error(`no case is named ${only.join(" or ")}`);
  const { close, ...keys } = await server.start(mutation);
  const context = await openTestContext({
    contract,
    target: { ...DEMO_DATA, ...TARGETS.reference, ...keys },
    random: { seed: 1, runs: 40, limitMs: 20_000 },
  });
  try {
    for (const one of cases) {
      const { outcome } = await runCase(one, context);
      if (outcome === "fail" || outcome === "error") return one.id;
    }
    return undefined;
  } finally {
    await context.close().catch(() => []); // it restores preferences, which a wrong server may prevent
    await close();
  }
}
