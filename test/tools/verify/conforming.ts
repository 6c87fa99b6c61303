// Holds a server of a contract to the same contract: it conforms, whatever the contract says.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { loadContract } from "../../../src/contract/contract.js";
import { startServer } from "../../../src/start-server.js";
import { DEMO_DATA, TARGETS } from "../../../src/tools/verify/declared-target.js";
import { groupFailures } from "../../../src/tools/verify/report/causes.js";
import { verify } from "../../../src/tools/verify/verify.js";
import { createTemporaryFolder } from "../../support/temporary-folder.js";

/** @param only parts of the names of the cases that run; default: all. */
export async function expectConforming(document: object, only: readonly string[] = []): Promise<void> {
  const path = join(await createTemporaryFolder(), "openapi.json");
  await writeFile(path, JSON.stringify(document));
  const contract = await loadContract(path); // once: the server shares it
  const server = await startServer({ contractPath: path });
  const target = { ...DEMO_DATA, ...TARGETS.reference, url: new URL(server.url), apiKey: server.apiKey, control: {} };
  const run = { contract, target, seed: 1, runs: 5, only };
  const report = await verify(run).finally(server.close);
  const errors = report.results.filter(({ outcome }) => outcome === "error");
  expect(errors.map(({ id, reason }) => [id, reason])).toEqual([]);
  expect(groupFailures(report).map(({ first, alike }) => [first.id, first.failure, alike.length])).toEqual([]);
  expect(report.results.some(({ outcome }) => outcome === "pass")).toBe(true);
}
