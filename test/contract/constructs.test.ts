// Each construct of a contract, held against each consumer: serve, mock, proxy, verify, review, docs. The
// quick suite has a sample of them.
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type Contract, loadContract } from "../../src/contract/contract.js";
import { startMock } from "../../src/mock/mock-server.js";
import { type RunningServer, startServer } from "../../src/proposals/start-server.js";
import { type ReportEntry, startProxy } from "../../src/tools/proxy/proxy-server.js";
import { findChanges } from "../../src/tools/review/changes/find-changes.js";
import type { Report } from "../../src/tools/verify/report/report.js";
import { DEMO_DATA, TARGETS } from "../../src/tools/verify/target.js";
import { verify } from "../../src/tools/verify/verify.js";
import { SIZES } from "../support/sizes.js";
import { sendTo } from "../support/socket-request.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";
import { loadDocument } from "../tools/review/small-pairs.js";
import { CONSTRUCTS, type Construct, documentOf, idOf, KEY, type Request, targetOf } from "./constructs.js";

const CHOSEN = CONSTRUCTS.filter((_construct, index) => index % SIZES.everyConstruct === 0);

let contract: Contract;
let report: Report;
let docs: string;
const servers: Partial<Record<"serve" | "mock" | "proxy", Pick<RunningServer, "url" | "close">>> = {};
const entries: ReportEntry[] = [];

beforeAll(async () => {
  const contractPath = join(await createTemporaryFolder(afterAll), "openapi.json");
  await writeFile(contractPath, JSON.stringify(documentOf(CHOSEN), null, 1));
  contract = await loadContract(contractPath);
  const options = { contractPath, apiKey: KEY };
  servers.serve = await startServer({ ...options, checkResponses: true });
  servers.mock = await startMock(options);
  const proxy = await startProxy({ contract, upstream: servers.serve.url });
  proxy.events.on("entry", (entry) => entries.push(entry));
  servers.proxy = proxy;
  const target = { ...DEMO_DATA, ...TARGETS.reference, url: new URL(servers.serve.url), apiKey: KEY, control: {} };
  report = await verify({ contract, target, seed: 1, runs: 3 });
  docs = (await sendTo(servers.serve.url, { target: "/docs" })).text;
});
afterAll(() => Promise.all(Object.values(servers).map(({ close }) => close())));

function send(name: keyof typeof servers, construct: Construct, { query, headers, body }: Request) {
  const { method, path } = targetOf(construct);
  const isSent = body !== undefined;
  return sendTo(servers[name]?.url ?? "", {
    method,
    target: query === undefined ? path : `${path}?${query}`,
    headers: { ...(isSent ? { "content-type": "application/json" } : {}), ...headers },
    ...(isSent ? { body: JSON.stringify(body) } : {}),
  });
}

const rows = CHOSEN.map((construct) => [construct.title, construct] as const);

describe.each(["serve", "mock", "proxy"] as const)("%s", (name) => {
  test.each(rows)("%s", async (_title, construct) => {
    const operation = contract.model.operations.find(({ id }) => id === idOf(construct));
    for (const request of construct.takes ?? []) {
      const response = await send(name, construct, request);
      expect(response.status, `${JSON.stringify(request)}: ${response.text}`).toBe(200);
      expect(contract.checkResponse(operation, response), response.text).toEqual([]);
    }
    for (const [request, places] of construct.rejects ?? []) {
      const response = await send(name, construct, request);
      expect(response.status, `${JSON.stringify(request)}: ${response.text}`).toBe(422);
      expect(Object.keys(response.body.errors).join(" "), response.text).toBe(places);
    }
  });
});

test("the proxy reports the rejected requests, and no response", () => {
  const rejected = CHOSEN.flatMap(({ rejects = [] }) => rejects.flatMap(([, places]) => places.split(" ")));
  expect(entries.filter(({ direction }) => direction === "response")).toEqual([]);
  expect(entries.length).toBe(rejected.length);
});

test.each(rows)("verify passes on the server › %s", (_title, construct) => {
  const own = report.results.filter(({ id }) => id.startsWith(`${idOf(construct)} ›`));
  const wrong = own.filter(({ outcome }) => outcome === "fail" || outcome === "error");
  expect(wrong.map(({ id, reason, failure }) => [id, reason ?? failure])).toEqual([]);
  expect(own.some(({ outcome }) => outcome === "pass")).toBe(true);
});

test.each(rows)("review sees what it forbids › %s", async (_title, construct) => {
  const [open, own] = [documentOf([construct], { isOpen: true }), documentOf([construct])].map(loadDocument);
  const changes = findChanges((await open) as Contract, (await own) as Contract);
  const found = changes.map(({ class: kind, sentence }) => `${kind}: ${sentence}`);
  expect(found).not.toEqual([]);
  if (construct.rejects?.length)
    expect(
      changes.flatMap(({ breaks }) => breaks),
      found.join("; "),
    ).toContain("clients");
});

test.each(rows)("the request of the docs is accepted › %s", async (_title, construct) => {
  const panel = docs.slice(docs.indexOf(`${idOf(construct)} as curl`));
  const [, markup = ""] = /<code[^>]*>(.*?)<\/code>/s.exec(panel) ?? [];
  const line = markup
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"');
  const curl = line.replaceAll("&#39;", "'").replaceAll("&amp;", "&").trim();
  const withKey = curl.replaceAll(/<API key>|%3CAPI%20key%3E/g, KEY);
  const { stdout } = await promisify(execFile)("sh", ["-c", `${withKey} -s -o /dev/null -w '%{http_code}'`]);
  expect(stdout, curl).toBe("200");
});

test.each([
  ["serve", startServer],
  ["mock", startMock],
] as const)("%s sends a response without the member that has no value", async (_name, start) => {
  const schema = { type: "object", required: ["a", "b"], properties: { a: { const: 1 }, b: { not: {} } } };
  const construct: Construct = { title: "no value", response: schema };
  const contractPath = join(await createTemporaryFolder(), "openapi.json");
  await writeFile(contractPath, JSON.stringify(documentOf([construct])));
  const server = await start({ contractPath });
  onTestFinished(server.close);
  const response = await sendTo(server.url, { target: targetOf(construct).path });
  expect([response.status, response.body]).toEqual([200, { a: 1 }]);
});
