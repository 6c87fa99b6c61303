// An independent judge of the contract and of the mock: Prism's own command line on openapi.yaml, as other teams run it.
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { loadContract } from "../../../src/contract/contract.js";
import { CONTRACT_PATH } from "../../../src/contract/contract-file.js";
import { startMock } from "../../../src/mock/mock-server.js";
import { findDifference } from "../../../src/pages/report/find-difference.js";
import type { RunningServer } from "../../../src/server/server.js";
import { ROOT, type Running, run, stop } from "../../support/command.js";
import { sendTo } from "../../support/socket-request.js";
import { createCorpus } from "./corpus.js";
import { API_KEY, type ParityRequest } from "./parity-request.js";
import { PRISM_DIFFERENCES, type PrismDifference } from "./prism-differences.js";

const PRISM = join(ROOT, "node_modules/@stoplight/prism-cli/dist/index.js");

const contract = await loadContract();
// Every example of the contract, and what varies a request within it. Prism's own dialect of Prefer is left out.
const corpus = createCorpus(contract).filter(({ title }) =>
  /› ((request )?example |valid |accept |prefer code=\d{3}$)/.test(title),
);

let mock: RunningServer;
let prism: Running & { url: string };
beforeAll(async () => {
  mock = await startMock({ apiKey: API_KEY });
  prism = await startPrism();
});
afterAll(async () => {
  await mock.close();
  await stop(prism);
});

test("the mock responds as Prism's command line does, but for the listed differences", async () => {
  const differing: { title: string; difference: string }[] = [];
  for (const request of corpus) {
    const difference = await compare(request);
    if (difference) differing.push({ title: request.title, difference });
  }
  const unlisted = differing.filter((difference) => !PRISM_DIFFERENCES.some((row) => isRowOf(row, difference)));
  process.stdout.write(
    `Prism's command line: ${corpus.length} requests, ${corpus.length - differing.length} agreements\n`,
  );
  expect(unlisted).toEqual([]);
  const stale = PRISM_DIFFERENCES.filter((row) => !differing.some((difference) => isRowOf(row, difference)));
  expect(stale).toEqual([]);
});

function isRowOf(row: PrismDifference, { title, difference }: { title: string; difference: string }): boolean {
  return row.title.test(title) && row.difference === difference;
}

async function startPrism(): Promise<Running & { url: string }> {
  const args = ["mock", CONTRACT_PATH, "--host", "127.0.0.1", "--port", "0"];
  const running = run(process.execPath, [PRISM, ...args]);
  const [, url = ""] = await running.printed(/Prism is listening on (http:\S+)/);
  return { ...running, url };
}

async function compare(request: ParityRequest): Promise<string | undefined> {
  const ours = await sendTo(mock.url, request);
  const prisms = await sendTo(prism.url, request).catch(() => undefined);
  if (!prisms) {
    await prism.ended; // a request that only failed would wait here until the test's time is up
    prism = await startPrism();
    return `status ${ours.status}, Prism ends`;
  }
  if (ours.status !== prisms.status) return `status ${ours.status}, Prism ${prisms.status}`;
  if (prisms.text === "" && ours.text !== "") return `body of ${ours.status}`;
  const difference = findDifference(withoutTime(ours.body), withoutTime(prisms.body), "body");
  return difference && `${difference.place} of ${ours.status}`;
}

function withoutTime(body: unknown): unknown {
  const { timestamp, ...rest } = Object(body);
  return rest;
}
