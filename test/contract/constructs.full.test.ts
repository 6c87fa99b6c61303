// Each construct of OpenAPI, as every consumer of the contract reads it: the servers, the contract tests, the review
// and the docs. A sample of them each day.
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { splitTarget } from "../../src/contract/target.js";
import { startMock } from "../../src/mock/mock-server.js";
import { startServer } from "../../src/start-server.js";
import { findChanges } from "../../src/tools/review/changes/changes.js";
import type { Report } from "../../src/tools/verify/report/report.js";
import { SIZES } from "../support/sizes.js";
import { loadDocument, SMALL_HEAD } from "../support/small-contract.js";
import { type SocketRequest, type SocketResponse, sendTo } from "../support/socket-request.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";
import { verdictOf } from "../tools/review/small-pairs.js";
import {
  body,
  type Construct,
  type Expected,
  object,
  pathOf,
  response,
  type Try,
  toDocument,
  toOpen,
} from "./constructs/construct.js";
import { type Consumers, SERVERS, startConsumers } from "./constructs/consumers.js";
import { MEDIA } from "./constructs/media.js";
import { NAMES } from "./constructs/names.js";
import { PARAMETERS } from "./constructs/parameters.js";
import { PATHS } from "./constructs/paths.js";
import { KEY, SECURITY } from "./constructs/security.js";
import { VALUES } from "./constructs/values.js";

const CONSTRUCTS = [...NAMES, ...PATHS, ...MEDIA, ...PARAMETERS, ...VALUES, ...SECURITY].filter(
  // Requests to paths that do not exist have a bearer, so that one is always needed.
  (construct, index) => index % SIZES.everyConstruct === 0 || construct === SECURITY[0],
);

function toRequest(index: number, construct: Construct, sent: Try[0]): SocketRequest {
  const path = pathOf(index, {});
  const method = Object.keys(construct.item)
    .find((name) => /^(get|post|put|patch|delete)$/.test(name))
    ?.toUpperCase();
  const request = { method: method ?? "GET", target: path };
  if (typeof sent !== "string") return { ...request, ...sent, target: path + (sent.target ?? "") };
  if (/^([?/]|$)/.test(sent)) return { ...request, target: path + sent };
  return { ...request, headers: { "content-type": "application/json" }, body: sent };
}

/** The outcome in full: a number is a status, a text the places of a 422. */
function toExpected(outcome: Try[1]): Expected {
  if (typeof outcome === "number") return { status: outcome };
  return typeof outcome === "string" ? { status: 422, places: outcome.split(" | ") } : { status: 200, ...outcome };
}

const responses = new Map<string, SocketResponse>();
const exchanges = new Map<string, number>();
/** What curl prints for the line of the docs. */
const ofDocs: string[] = [];
let consumers: Consumers;
let results: Report["results"];

beforeAll(async () => {
  consumers = await startConsumers(toDocument(CONSTRUCTS));
  for (const [index, construct] of CONSTRUCTS.entries()) {
    for (const [number, [sent]] of construct.tries.entries()) {
      const request = toRequest(index, construct, sent);
      for (const name of SERVERS)
        responses.set(`${name} ${index} ${number}`, await sendTo(consumers.urls[name], request));
      exchanges.set(`${index} ${number}`, exchanges.size + 1);
    }
    ofDocs.push(await runCurl(sectionOf(index)));
  }
  results = await consumers.results();
  await consumers.close(); // so that the proxy has reported everything
});

/** The docs of an operation. */
function sectionOf(index: number): string {
  const { docs } = consumers;
  const start = docs.indexOf(`id="operation-construct-${index}-`);
  const end = docs.indexOf('id="operation-', start + 1);
  return docs.slice(start, end === -1 ? undefined : end);
}

async function runCurl(section: string): Promise<string> {
  const [, markup = ""] = /<code[^>]*>(curl.*?)<\/code>/s.exec(section) ?? [];
  const text = markup
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">");
  const curl = text.replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&amp;", "&").trim();
  const withKey = curl.replaceAll(/<API key>|%3CAPI%20key%3E/g, KEY);
  const { stdout } = await promisify(execFile)("sh", ["-c", `${withKey} -s -o /dev/null -w '%{http_code}'`]);
  return `${stdout} ${curl}`;
}

describe.each(CONSTRUCTS.map((construct, index) => [construct.title, construct, index] as const))(
  "%s",
  (_title, construct, index) => {
    const path = pathOf(index, construct);

    test.each(SERVERS)("%s", (name) => {
      for (const [number, [sent, outcome]] of construct.tries.entries()) {
        const response = responses.get(`${name} ${index} ${number}`) as SocketResponse;
        const { status, headers = {}, text = "", body, places } = toExpected(outcome);
        const shown = `${JSON.stringify(sent)}: ${response.text.slice(0, 400)}`;
        expect(response.status, shown).toBe(status);
        expect(Object.keys(response.body?.errors ?? {}), shown).toEqual(places ?? []);
        for (const [header, value] of Object.entries(headers)) expect(response.headers[header], shown).toEqual(value);
        expect(response.text).toMatch(text);
        if (body !== undefined) expect(response.body).toEqual(body);
        if (name === "proxy") expectReported(number, (status ?? 200) >= 400, shown);
        else expectInside(response, sent, shown);
      }
    });

    /** The proxy reports the request if it is invalid, and nothing else. */
    function expectReported(number: number, isInvalid: boolean, shown: string): void {
      const exchange = exchanges.get(`${index} ${number}`);
      const reported = consumers.reported.filter((entry) => entry.exchange === exchange);
      const ofResponse = reported.filter(({ direction }) => direction === "response");
      expect(ofResponse, shown).toEqual([]);
      expect(reported.length > 0, shown).toBe(isInvalid);
      expect(consumers.proxyErrors).toEqual([]);
    }

    function expectInside(response: SocketResponse, sent: Try[0], shown: string): void {
      const { method = "GET", target, headers = {} } = toRequest(index, construct, sent);
      if (headers["access-control-request-method"]) return; // no contract has a preflight
      const operation = consumers.contract.findOperation(method, splitTarget(target).path);
      const body = response.text === "" ? undefined : (response.body ?? response.text);
      expect(consumers.contract.checkResponse(operation, { ...response, body }), shown).toEqual([]);
    }

    test("verify", () => {
      const own = results.filter(({ id }) => id.includes(`construct-${index}-`) || id.includes(`${path} `));
      const failed = own.filter(({ outcome }) => outcome === "fail" || outcome === "error");
      expect(failed.map(({ id, failure, reason }) => [id, failure?.sentence ?? reason])).toEqual([]);
      expect(own.some(({ outcome }) => outcome === "pass")).toBe(true);
    });

    test("docs", () => {
      const section = sectionOf(index);
      expect(section).not.toBe("");
      for (const shown of construct.docs ?? []) expect(section).toMatch(shown);
      expect(section).not.toMatch(/\[object|undefined|native code/);
      expect(ofDocs[index]).toMatch(/^200 curl/);
    });

    test("review", async () => {
      const before = await loadDocument(toDocument([construct]));
      expect(findChanges(before, before)).toEqual([]);
      for (const [edit, verdict] of construct.edits ?? []) {
        const item = structuredClone(construct.item);
        edit(item);
        const changes = findChanges(before, await loadDocument(toDocument([{ ...construct, item }])));
        expect(verdictOf(changes), String(edit)).toBe(verdict);
      }
      if (!construct.tries.some(([, outcome]) => typeof outcome === "string")) return;
      const fromOpen = findChanges(await loadDocument(toDocument([toOpen(construct)])), before);
      expect(fromOpen.flatMap(({ breaks }) => breaks)).toContain("clients");
    });
  },
);

test("nothing else fails in the contract tests", () => {
  const failed = results.filter(({ outcome }) => outcome === "fail" || outcome === "error");
  expect(failed.filter(({ id }) => !id.includes("construct-")).map(({ id }) => id)).toEqual([]);
});

test("a reference to the schema of an operation's parameter ignores the parameters of its path", async () => {
  const parameter = (name: string, maximum: number) => ({ name, in: "query", schema: { type: "integer", maximum } });
  const reference = { $ref: "#/paths/~1v1~1construct-0/get/parameters/0/schema" };
  const item = { parameters: [parameter("a", 9)], get: { parameters: [parameter("b", 5)] } };
  const { item: referring } = body("", reference, []);
  const { operations } = await loadDocument(toDocument([{ title: "", item: { ...item, ...referring }, tries: [] }]));
  const schema = operations.find(({ method }) => method === "post")?.body?.content[0]?.schema;
  expect([5, 6].map((value) => schema?.allows(value))).toEqual([true, false]);
});

const STARTS = { serve: startServer, mock: startMock };

describe.each(["serve", "mock"] as const)("%s", (name) => {
  async function send(text: string, request: SocketRequest) {
    const contractPath = join(await createTemporaryFolder(), "cups.yaml");
    await writeFile(contractPath, text);
    const server = await STARTS[name]({ contractPath });
    onTestFinished(server.close);
    return sendTo(server.url, request);
  }

  test("sends a response without the member that has no value", async () => {
    const schema = object({ a: { const: 1 }, b: { not: {} } }, { required: ["a", "b"] });
    const text = JSON.stringify(toDocument([response("no value", schema, {})]));
    const { status, body } = await send(text, { target: "/v1/construct-0" });
    expect([status, body]).toEqual([200, { a: 1 }]);
  });

  test("merges a merge key of YAML", async () => {
    const text = `${SMALL_HEAD}x-more: &more { size: { type: integer } }
paths:
  /v1/cups:
    post:
      operationId: addCup
      requestBody:
        content:
          application/json:
            schema: { type: object, additionalProperties: false, properties: { <<: *more, own: { type: string } } }
      responses: { "204": { description: Added } }
`;
    const headers = { "content-type": "application/json" };
    const request = { method: "POST", target: "/v1/cups", headers };
    expect((await send(text, { ...request, body: '{"size":1,"own":"a"}' })).status).toBe(204);
    const { status, body } = await send(text, { ...request, body: '{"size":"a","<<":1}' });
    expect([status, Object.keys(body.errors)]).toEqual([422, ["body.<<", "body.size"]]);
  });
});
