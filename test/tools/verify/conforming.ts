// Holds a server of a contract to the same contract: it conforms, whatever the contract says.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { type Contract, loadContract } from "../../../src/contract/contract.js";
import { isEqual, isObject } from "../../../src/contract/json.js";
import { parseReference, valueAt } from "../../../src/contract/pointer.js";
import { startServer } from "../../../src/start-server.js";
import { findOperation, KNOWN_OPERATIONS } from "../../../src/tools/model/operations.js";
import { DEMO_DATA, TARGETS } from "../../../src/tools/verify/declared-target.js";
import { groupFailures } from "../../../src/tools/verify/report/causes.js";
import { createSuite } from "../../../src/tools/verify/suite.js";
import { verify } from "../../../src/tools/verify/verify.js";
import { createTemporaryFolder } from "../../support/temporary-folder.js";

/** @param only parts of the names of the cases that run; default: of all that the change may affect. */
export async function expectConforming(document: object, only?: readonly string[]): Promise<void> {
  const path = join(await createTemporaryFolder(), "openapi.json");
  await writeFile(path, JSON.stringify(document));
  const contract = await loadContract(path); // once: the server shares it
  const server = await startServer({ contractPath: path });
  const target = { ...DEMO_DATA, ...TARGETS.reference, url: new URL(server.url), apiKey: server.apiKey, control: {} };
  const run = { contract, target, seed: 1, runs: 5, only: only ?? (await findAffected(contract)) };
  const report = await verify(run).finally(server.close);
  const errors = report.results.filter(({ outcome }) => outcome === "error");
  expect(errors.map(({ id, reason }) => [id, reason])).toEqual([]);
  expect(groupFailures(report).map(({ first, alike }) => [first.id, first.failure, alike.length])).toEqual([]);
  expect(report.results.some(({ outcome }) => outcome === "pass")).toBe(true);
}

/** Leaves out the cases of an operation that stays as it is, if the other one changes. Empty for all cases. */
async function findAffected(contract: Contract): Promise<string[]> {
  const original = await loadContract();
  const unchanged = KNOWN_OPERATIONS.filter((name) => isEqual(read(contract, name), read(original, name)));
  const isWhole = KNOWN_OPERATIONS.every((name) => findOperation(contract, name));
  if (unchanged.length !== 1 || !isWhole) return [];
  const starts = new Set(createSuite(contract).map(({ id }) => id.replace(/›.*/, "›")));
  return [...starts].filter((start) => start !== `${unchanged[0]} ›`);
}

/** What a contract says about an operation, with all of its schemas. */
function read(contract: Contract, name: string): unknown {
  const operation = findOperation(contract, name);
  const part = operation && valueAt(contract.document, ["paths", operation.path, operation.method]);
  return [operation?.security, expand(contract.document, part ?? null)];
}

function expand(document: object, part: unknown, around: readonly string[] = []): unknown {
  if (Array.isArray(part)) return part.map((item) => expand(document, item, around));
  if (!isObject(part)) return part;
  const members = Object.entries(part).map(([name, value]) => {
    const isFollowed = name === "$ref" && typeof value === "string" && !around.includes(value);
    const target = isFollowed ? valueAt(document, parseReference(value)) : value;
    return [name, expand(document, target, isFollowed ? [...around, value] : around)];
  });
  return Object.fromEntries(members);
}
