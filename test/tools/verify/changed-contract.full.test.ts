// A proposal switches no law off that still holds of it: a wrong server is found, and a right one is not blamed.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startServer } from "../../../src/server/server.js";
import { createSuite } from "../../../src/tools/verify/suite.js";
import { DEMO_DATA, TARGETS } from "../../../src/tools/verify/target.js";
import { startBridge } from "../../browser/fetch/bridge.js";
import { PROPOSALS, type Proposal, toProposal } from "../../server/proposals/proposals.js";
import { findFailingCase } from "../../support/failing-case.js";
import { createTemporaryFolder } from "../../support/temporary-folder.js";

/** Changes a request on its way to the server, which makes that a wrong one. */
type Change = (url: URL, headers: Headers) => void;

const ignoring =
  (name: string): Change =>
  (url) =>
    url.searchParams.delete(name);
const withDefaultOf9: Change = ({ searchParams }) => searchParams.has("limit") || searchParams.set("limit", "9");
const replacingNoKey =
  (authorization: string): Change =>
  (_url, headers) =>
    headers.has("authorization") || headers.set("authorization", authorization);

const KEY = "changed-contract-key";
const LIST = "listNotifications ›";
const CHANNELS = `${LIST} channels › returns`;
const DEFAULTS = `${LIST} defaults`;
const NEW_KEY = "GET /v2/subscribers/{subscriberId}/preferences › key";

const rows: [title: string, cases: string[], wrong: [Change, failing: string][]][] = [
  [
    "a narrowed limit",
    [CHANNELS, DEFAULTS],
    [
      [ignoring("channels"), CHANNELS],
      [withDefaultOf9, DEFAULTS],
    ],
  ],
  ["a new filter", [CHANNELS], [[ignoring("channels"), CHANNELS]]],
  [
    "operations that need no key",
    [`${LIST} key`, `${LIST} example › 401`, "GET /v1/status ›"],
    [[replacingNoKey("ApiKey wrong"), `${LIST} key › none is needed`]],
  ],
  ["an operation with examples", [NEW_KEY], [[replacingNoKey(`ApiKey ${KEY}`), `${NEW_KEY} › missing`]]],
];

test.each(rows)("%s: wrong servers are found", async (title, names, wrong) => {
  const contract = toProposal(PROPOSALS.find((proposal) => proposal.title === title) as Proposal);
  const path = join(await createTemporaryFolder(), "openapi.json");
  await writeFile(path, JSON.stringify(contract.document));
  const server = await startServer({ contractPath: path, apiKey: KEY, control: false });
  onTestFinished(server.close);
  const cases = createSuite(contract).filter(({ id }) => names.some((name) => id.startsWith(name)));

  async function findFailing(change: Change): Promise<string | undefined> {
    const { url, close } = await startBridge(async (request) => {
      const { pathname, search } = new URL(request.url);
      const address = new URL(pathname + search, server.url);
      change(address, request.headers);
      const response = await fetch(address, { headers: request.headers });
      return new Response(response.body, response); // with headers that can be changed
    });
    const target = { ...DEMO_DATA, ...TARGETS.reference, url: new URL(url), apiKey: KEY };
    return findFailingCase(cases, { contract, target, random: { seed: 1, runs: 5 } }).finally(close);
  }

  expect(await findFailing(() => {}), "a right server").toBeUndefined();
  for (const [change, failing] of wrong) expect(await findFailing(change)).toMatch(failing);
});
