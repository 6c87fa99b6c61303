// The suite against a server of each proposal is green: the generic cases of new operations, and where a proposal changes an
// operation that laws know, the whole suite.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startServer } from "../../../src/server/server.js";
import { knownNameOf } from "../../../src/tools/judge/operations.js";
import { groupFailures } from "../../../src/tools/verify/report/report.js";
import { DEMO_DATA, TARGETS } from "../../../src/tools/verify/target.js";
import { verify } from "../../../src/tools/verify/verify.js";
import { PROPOSALS, type Proposal, toProposal } from "../../server/proposals/proposals.js";
import { SIZES } from "../../support/sizes.js";
import { createTemporaryFolder } from "../../support/temporary-folder.js";

const idsOfNew = (proposal: Proposal) =>
  toProposal(proposal)
    .operations.filter((operation) => knownNameOf(operation) === undefined)
    .map(({ id }) => id);
const ADDITIONS = PROPOSALS.filter((proposal) => idsOfNew(proposal).length > 0);
const CHANGES = PROPOSALS.filter((proposal) => !ADDITIONS.includes(proposal));
const rows = (proposals: Proposal[]) => proposals.map((proposal) => [proposal.title, proposal] as const);

async function expectGreen(proposal: Proposal, only?: string[]): Promise<void> {
  const contract = toProposal(proposal);
  const path = join(await createTemporaryFolder(), "openapi.json");
  await writeFile(path, JSON.stringify(contract.document));
  const server = await startServer({ contractPath: path });
  try {
    const target = { ...DEMO_DATA, ...TARGETS.reference, url: new URL(server.url), apiKey: server.apiKey, control: {} };
    const report = await verify({ contract, target, seed: 1, runs: 5, only });
    const errors = report.results.filter(({ outcome }) => outcome === "error");
    expect(errors.map(({ id, reason }) => [id, reason])).toEqual([]);
    expect(groupFailures(report).map(({ first, alike }) => [first.id, first.failure, alike.length])).toEqual([]);
    expect(report.results.filter(({ outcome }) => outcome === "pass").length).toBeGreaterThan(0);
  } finally {
    await server.close();
  }
}

test.each(rows(ADDITIONS))("%s", async (_title, proposal) => {
  await expectGreen(proposal, [
    ...idsOfNew(proposal).map((id) => `${id} ›`),
    "D-24",
    "D-76",
    "HTTP ›",
    "› key ›",
    "missingKey",
  ]);
});

test.each(rows(CHANGES.filter((_, index) => index % SIZES.everyVerifiedProposal === 0)))(
  "%s",
  async (_title, proposal) => {
    await expectGreen(proposal);
  },
);
