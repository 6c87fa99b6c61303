// Runs the suite against the second independent implementation, perhaps with a bug, and stops that.
import { type Contract, loadContract } from "../../../src/contract/contract.js";
import { knownNameOf } from "../../../src/tools/model/operations.js";
import { TARGETS, type Target } from "../../../src/tools/verify/declared-target.js";
import type { Report } from "../../../src/tools/verify/report/report.js";
import { type VerifyOptions, verify } from "../../../src/tools/verify/verify.js";
import { toProposal } from "../../proposals/proposals.js";
import { type Backend, startBackend } from "./backend.js";
import { TARGET_DATA } from "./backend-data.js";

/** The contract of the backends, which have no other operations than these two. */
export async function loadBackendContract(): Promise<Contract> {
  const contract = await loadContract();
  const others = contract.operations.filter((operation) => knownNameOf(operation) === undefined);
  if (others.length === 0) return contract;
  return toProposal({
    edit(document) {
      for (const { path, method } of others) delete document.paths[path][method];
    },
  });
}

const contract = await loadBackendContract();

export interface BackendRun extends Partial<Omit<VerifyOptions, "target">> {
  target?: Partial<Target>;
  /** The path of the target's URL. */
  prefix?: string;
}

export async function verifyBackend(plant?: (backend: Backend) => void, options: BackendRun = {}): Promise<Report> {
  const { target, prefix = "", ...others } = options;
  const backend = await startBackend(plant);
  const declared = { ...TARGETS.implementation, ...TARGET_DATA, url: new URL(prefix, backend.url), ...target };
  return verify({ contract, seed: 1, runs: 20, ...others, target: declared }).finally(backend.close);
}
