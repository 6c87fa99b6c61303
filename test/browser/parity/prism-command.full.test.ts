// An independent judge of the contract and of the mock: Prism's own command line on openapi.yaml, as other teams run
// it.
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CONTRACT_PATH } from "../../../src/contract/contract-file.js";
import { startMock } from "../../../src/mock/mock-server.js";
import type { RunningServer } from "../../../src/start-server.js";
import { findDifference } from "../../../src/tools/difference.js";
import { ROOT, type Running, run, stop } from "../../support/command.js";
import { contract } from "../../support/contract.js";
import { sendTo } from "../../support/socket-request.js";
import { API_KEY, createCorpus, type ParityRequest } from "./corpus.js";

const PRISM = join(ROOT, "node_modules/@stoplight/prism-cli/dist/index.js");

/**
 * By the request: both statuses, or the first place at which the bodies of one status differ. Each has to be one still.
 */
const DIFFERENCES: readonly [title: RegExp, difference: string][] = [
  // The mock gives the requested page of the example; Prism gives the whole example.
  [/^listNotifications › example firstPage$/, "body.pageSize of 200"],
  // No schema can compare two parameters (D-41); the mock does.
  [/^listNotifications › example invertedRange$/, "status 400, Prism 200"],
  // Prism takes every value of Authorization for a key, and goes on to the missing body.
  [/^listNotifications › example unknownKey$/, "status 401, Prism 200"],
  // Prism rejects these before it looks into the contract, with bodies of its own.
  [/^updatePreferences › example malformedJson$/, "body.statusCode of 400"],
  [/› example wrongMethod$/, "body.statusCode of 405"],
  // Prism's limit of a body's size is another (D-52).
  [/^updatePreferences › example tooLarge$/, "status 413, Prism 200"],
  // There is one media type, sent whatever is accepted (RFC 9110 §12.5.1 allows that).
  [/› accept "text\/html"$/, "status 200, Prism 406"],
  [/› accept "application\/xml, \*\/\*;q=0"$/, "body of 200"],
  // Prism throws over a value of Accept that is not a media type.
  [/› accept "x"$/, "status 200, Prism ends"],
  // The mock gives an error the path of its request; Prism gives the example's.
  ...[400, 401, 402, 404, 405, 422, 429, 500, 503].map((code): [RegExp, string] => [
    new RegExp(`› prefer code=${code}$`),
    `body.path of ${code}`,
  ]),
  // A code that the contract does not have is an invalid preference (D-71).
  [/› prefer code=999$/, "status 400, Prism 404"],
];

// Every example of the contract, and what varies a request within it. Prism's own dialect of Prefer is omitted.
const corpus = createCorpus(contract).filter(({ title }) =>
  /› ((request )?example |accept |prefer code=\d{3}$)/.test(title),
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
  const isOf = ([title, difference]: (typeof DIFFERENCES)[number], found: (typeof differing)[number]) =>
    title.test(found.title) && difference === found.difference;
  expect(differing.filter((found) => !DIFFERENCES.some((row) => isOf(row, found)))).toEqual([]);
  expect(DIFFERENCES.filter((row) => !differing.some((found) => isOf(row, found)))).toEqual([]);
});

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
