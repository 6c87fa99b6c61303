// Each construct of OpenAPI, as every consumer of the contract reads it: the servers, the contract tests, the review and the docs.
import { beforeAll, describe, expect, test } from "vitest";
import { findChanges } from "../../src/tools/review/changes/find-changes.js";
import { type SocketRequest, type SocketResponse, sendTo } from "../support/socket-request.js";
import { loadDocument, verdictOf } from "../tools/review/small-pairs.js";
import { type Construct, type Expected, pathOf, type Try, toDocument } from "./constructs/construct.js";
import { type Consumers, SERVERS, startConsumers } from "./constructs/consumers.js";
import { MEDIA } from "./constructs/media.js";
import { NAMES } from "./constructs/names.js";
import { PARAMETERS } from "./constructs/parameters.js";

const KINDS: [kind: string, constructs: Construct[]][] = [
  ["names", NAMES],
  ["media", MEDIA],
  ["parameters", PARAMETERS],
];

function toRequest(path: string, construct: Construct, sent: Try[0]): SocketRequest {
  const method = Object.keys(construct.item)
    .find((name) => /^(get|post|put|patch|delete)$/.test(name))
    ?.toUpperCase();
  const request = { method: method ?? "GET", target: path };
  if (typeof sent !== "string") return { ...request, ...sent, target: path + (sent.target ?? "") };
  if (/^([?/]|$)/.test(sent)) return { ...request, target: path + sent };
  return { ...request, headers: { "content-type": "application/json" }, body: sent };
}

/** The outcome in full: a number is a status, a text the places of a 422. */
function toExpected(outcome: Try[1]): Expected & { places?: string[] } {
  if (typeof outcome === "number") return { status: outcome };
  return typeof outcome === "string" ? { status: 422, places: outcome.split(" | ") } : { status: 200, ...outcome };
}

describe.each(KINDS)("%s", (kind, constructs) => {
  const document = toDocument(kind, constructs);
  const responses = new Map<string, SocketResponse>();
  const exchanges = new Map<string, number>();
  let consumers: Consumers;
  let failures: Awaited<ReturnType<Consumers["failures"]>>;

  beforeAll(async () => {
    consumers = await startConsumers(document);
    for (const [index, construct] of constructs.entries()) {
      for (const [number, [sent]] of construct.tries.entries()) {
        const request = toRequest(pathOf(kind, index, { ...construct, path: "" }), construct, sent);
        for (const name of SERVERS)
          responses.set(`${name} ${index} ${number}`, await sendTo(consumers.urls[name], request));
        exchanges.set(`${index} ${number}`, exchanges.size + 1);
      }
    }
    failures = await consumers.failures();
    await consumers.close(); // so that the proxy has reported everything
  });

  describe.each(constructs.map((construct, index) => [construct.title, construct, index] as const))(
    "%s",
    (_title, construct, index) => {
      const path = pathOf(kind, index, construct);

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
        const { method = "GET" } = toRequest(path, construct, sent);
        const { operations } = consumers.contract.model;
        const operation = operations.find((one) => one.path === path && one.method === method.toLowerCase());
        const body = response.text === "" ? undefined : (response.body ?? response.text);
        expect(consumers.contract.checkResponse(operation, { ...response, body }), shown).toEqual([]);
      }

      test("verify", () => {
        const own = failures.filter(([id]) => id.includes(`${kind}-${index}-`) || id.includes(path));
        expect(own).toEqual([]);
      });

      test("docs", () => {
        const start = consumers.docs.indexOf(`id="operation-${kind}-${index}-`);
        expect(start).toBeGreaterThan(-1);
        const end = consumers.docs.indexOf('id="operation-', start + 1);
        const section = consumers.docs.slice(start, end === -1 ? undefined : end);
        for (const shown of construct.docs ?? []) expect(section).toMatch(shown);
        expect(section).not.toMatch(/\[object|undefined|native code/);
      });

      test("review", async () => {
        const base = toDocument(kind, [construct]);
        const before = await loadDocument(base);
        expect(findChanges(before, before)).toEqual([]);
        for (const [edit, verdict] of construct.edits ?? []) {
          const item = structuredClone(construct.item);
          edit(item);
          const changes = findChanges(before, await loadDocument(toDocument(kind, [{ ...construct, item }])));
          expect(verdictOf(changes), String(edit)).toBe(verdict);
        }
      });
    },
  );

  test("nothing else fails in the contract tests", () => {
    expect(failures.filter(([id]) => !id.includes(kind))).toEqual([]);
  });
});
