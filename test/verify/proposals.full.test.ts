// The suite against a server of a proposal: generic cases for its new operations, and laws for those that they know.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startServer } from "../../src/server.js";
import { knownNameOf } from "../../src/verify/exchange.js";
import { groupFailures } from "../../src/verify/report.js";
import { DEMO_DATA, TARGETS } from "../../src/verify/target.js";
import { verify } from "../../src/verify/verify.js";
import { PROPOSALS, toProposal } from "../proposals/proposals.js";
import { SIZES } from "../support/sizes.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";

const TITLES = [
  "a third operation",
  "an operation with examples",
  "a POST with a body",
  "a DELETE with 204",
  "a new required member",
  "a new filter",
];
const CHOSEN = PROPOSALS.filter(({ title }) => TITLES.some((start) => title.startsWith(start))).map(
  (proposal) => [proposal.title, proposal] as const,
);

test.each(CHOSEN)("%s", async (_title, proposal) => {
  const contract = toProposal(proposal);
  const path = join(await createTemporaryFolder(), "openapi.json");
  await writeFile(path, JSON.stringify(contract.document));
  const server = await startServer({ contractPath: path });
  try {
    const target = { ...DEMO_DATA, ...TARGETS.reference, url: new URL(server.url), apiKey: server.apiKey, control: {} };
    const proposed = contract.operations.filter((operation) => knownNameOf(operation) === undefined);
    const only = [...proposed.map(({ id }) => `${id} ›`), "D-24", "query.limit", "body.channels", "HTTP ›"];
    const report = await verify({ contract, target, seed: 1, runs: SIZES.verifyRequests, only });
    expect(report.results.filter(({ outcome }) => outcome === "error").map(({ id, reason }) => [id, reason])).toEqual(
      [],
    );
    expect(groupFailures(report).map(({ first, alike }) => [first.id, first.failure, alike.length])).toEqual([]);
  } finally {
    await server.close();
  }
});
