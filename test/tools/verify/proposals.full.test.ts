// The suite passes against a server of each proposal: the generic cases of new operations, or the whole suite where a
// proposal changes an operation that laws know. It switches no law off that still holds: wrong servers are found.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Contract } from "../../../src/contract/contract.js";
import { type RunningServer, type ServerOptions, startServer } from "../../../src/start-server.js";
import { knownNameOf } from "../../../src/tools/model/operations.js";
import { createKeywordCases } from "../../../src/tools/verify/cases/keyword-cases.js";
import { DEMO_DATA, TARGETS } from "../../../src/tools/verify/declared-target.js";
import { createSuite } from "../../../src/tools/verify/suite.js";
import { startBridge } from "../../browser/fetch/bridge.js";
import { PROPOSALS, type Proposal, toProposal } from "../../proposals/proposals.js";
import { findFailingCase } from "../../support/failing-case.js";
import { isWeekly } from "../../support/sizes.js";
import { createTemporaryFolder } from "../../support/temporary-folder.js";
import { expectConforming } from "./conforming.js";

const idsOfNew = (proposal: Proposal) =>
  toProposal(proposal)
    .operations.filter((operation) => knownNameOf(operation) === undefined)
    .map(({ id }) => id);
const CHOSEN = PROPOSALS.filter(({ title }) => isWeekly || title === "a third operation, without our headers");
const ADDITIONS = CHOSEN.filter((proposal) => idsOfNew(proposal).length > 0);
const CHANGES = CHOSEN.filter((proposal) => !ADDITIONS.includes(proposal));
const rows = (proposals: Proposal[]) => proposals.map((proposal) => [proposal.title, proposal] as const);

/** Serves a proposal until the test ends. */
async function serve(contract: Contract, options: ServerOptions = {}): Promise<RunningServer> {
  const path = join(await createTemporaryFolder(), "openapi.json");
  await writeFile(path, JSON.stringify(contract.document));
  const server = await startServer({ contractPath: path, ...options });
  onTestFinished(server.close);
  return server;
}

test.each(rows(ADDITIONS))("%s", async (_title, proposal) => {
  const ofNew = idsOfNew(proposal).map((id) => `${id} ›`);
  const ofAll = isWeekly ? ["D-24", "D-76", "HTTP ›", "› key ›", "missingKey"] : ["D-24"];
  await expectConforming(toProposal(proposal).document, [...ofNew, ...ofAll]);
});

test("each operation gets a valid request, whatever the form of its body", () => {
  const lacking = ADDITIONS.flatMap((proposal) => {
    const accepting = createKeywordCases(toProposal(proposal)).filter(({ id }) => id.includes(" › accepts › "));
    return idsOfNew(proposal).filter((name) => !accepting.some(({ id }) => id.startsWith(`${name} › `)));
  });
  expect(lacking).toEqual([]);
});

test.each(rows(CHANGES))("%s", (_title, proposal) => expectConforming(toProposal(proposal).document));

/** Makes a server wrong by changing a request on its way there. */
type Change = (url: URL, headers: Headers) => void;

const ignoring =
  (name: string): Change =>
  (url) =>
    url.searchParams.delete(name);
const replacingNoKey =
  (authorization: string): Change =>
  (_url, headers) =>
    headers.has("authorization") || headers.set("authorization", authorization);

const KEY = "changed-contract-key";
const LIST = "listNotifications ›";
const CHANNELS = `${LIST} channels › returns`;
const NEW_KEY = "GET /v2/subscribers/{subscriberId}/digest › key";

const WRONG: [title: string, cases: string[], wrong: [Change, failing: string][]][] = [
  ["a new filter", [CHANNELS], [[ignoring("channels"), CHANNELS]]],
  [
    "operations that need no key",
    [`${LIST} key`, "GET /v1/status ›"],
    [[replacingNoKey("ApiKey wrong"), `${LIST} key › none is needed`]],
  ],
  ["an operation with examples", [NEW_KEY], [[replacingNoKey(`ApiKey ${KEY}`), `${NEW_KEY} › missing`]]],
];

test.each(WRONG.slice(0, isWeekly ? undefined : 1))("%s: wrong servers are found", async (title, names, wrong) => {
  const contract = toProposal(PROPOSALS.find((proposal) => proposal.title === title) as Proposal);
  const server = await serve(contract, { apiKey: KEY, control: false });
  const cases = createSuite(contract).filter(({ id }) => names.some((name) => id.startsWith(name)));

  async function findFailing(change: Change): Promise<string | undefined> {
    const { url, close } = await startBridge(async (request) => {
      const { pathname, search } = new URL(request.url);
      const address = new URL(pathname + search, server.url);
      change(address, request.headers);
      const { method, headers } = request;
      const body = method === "PATCH" ? await request.arrayBuffer() : null;
      const response = await fetch(address, { method, headers, body });
      return new Response(response.body, response); // with headers that can be changed
    });
    const target = { ...DEMO_DATA, ...TARGETS.reference, url: new URL(url), apiKey: KEY };
    return findFailingCase(cases, { contract, target, random: { seed: 1, runs: 5 } }).finally(close);
  }

  expect(await findFailing(() => {}), "a right server").toBeUndefined();
  for (const [change, failing] of wrong) expect(await findFailing(change)).toMatch(failing);
});
