// A proposal that leaves requests and success of a list much as they are does not switch its laws off: a wrong server is still
// found, and a right one is not blamed.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startServer } from "../../src/server.js";
import { createSuite } from "../../src/verify/suite.js";
import { DEMO_DATA, TARGETS } from "../../src/verify/target.js";
import { startBridge } from "../fetch/bridge.js";
import { PROPOSALS, toProposal } from "../proposals/proposals.js";
import { findFailingCase } from "../support/failing-case.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";

const LAWS = ["channels › returns", "subscriberIds › returns", "pages of 7", "defaults"];

test.each([
  ["a narrowed limit", "channels"],
  ["a wider limit, and another default", "subscriberIds"],
  ["a new filter", "channels"],
])("%s: a server that ignores %s is found", async (title, name) => {
  const contract = toProposal(PROPOSALS.find((proposal) => proposal.title === title) as (typeof PROPOSALS)[number]);
  const path = join(await createTemporaryFolder(), "openapi.json");
  await writeFile(path, JSON.stringify(contract.document));
  const server = await startServer({ contractPath: path, control: false });
  onTestFinished(server.close);
  const cases = createSuite(contract).filter(({ id }) =>
    LAWS.some((law) => id.startsWith(`listNotifications › ${law}`)),
  );

  async function findFailing(change: (url: URL) => void): Promise<string | undefined> {
    const { url, close } = await startBridge(async (request) => {
      const { pathname, search } = new URL(request.url);
      const target = new URL(pathname + search, server.url);
      change(target);
      const response = await fetch(target, { headers: request.headers });
      return new Response(response.body, response); // with headers that can be changed
    });
    const target = { ...DEMO_DATA, ...TARGETS.reference, url: new URL(url), apiKey: server.apiKey };
    return findFailingCase(cases, { contract, target, random: { seed: 1, runs: 5, limitMs: 20_000 } }).finally(close);
  }

  expect(await findFailing(() => {})).toBeUndefined();
  expect(await findFailing((url) => url.searchParams.delete(name))).toMatch(`${name} › returns`);
  expect(await findFailing((url) => url.searchParams.has("limit") || url.searchParams.set("limit", "9"))).toMatch(
    "defaults",
  );
});
