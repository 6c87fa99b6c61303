// The proxy never writes keys, wherever they are sent.

import { describe, expect, test } from "vitest";
import { formatEntry, formatSummary } from "../../../src/cli/proxy-command.js";
import { loadContract } from "../../../src/contract/contract.js";
import { createRedactor } from "../../../src/core/request/redactor.js";
import { createEditedContract } from "../../support/edited-contract.js";
import {
  AUTHORIZED,
  exchanged,
  KEY,
  list,
  PAGE,
  proxied,
  responding,
  sendRaw,
  update,
  type Watched,
} from "./proxied.js";

const contract = await loadContract();

/** Everything that a run writes: the report's lines, the terminal's blocks, internal errors. */
function writtenBy({ entries, internalErrors, summary }: Watched): string {
  return [
    ...entries.map((entry) => `${JSON.stringify(entry)}\n${formatEntry(entry, { isColoured: false })}`),
    ...internalErrors.map(({ stack }) => stack),
    formatSummary(summary()),
  ].join("\n");
}

const path = "/v1/notifications";
const encoded = [...KEY].map((character) => `%${character.charCodeAt(0).toString(16)}`).join("");
const base64 = Buffer.from(KEY).toString("base64");

const GOES_IN: [title: string, target: string, headers: Record<string, string>, locations: string[]][] = [
  ["the header, under another scheme", path, { authorization: `Bearer ${KEY}` }, ["header.authorization"]],
  ["the header, without a scheme", path, { authorization: KEY }, ["header.authorization"]],
  ["a parameter that is not known, alone", `${path}?x=${KEY}`, {}, ["header.authorization", "query.x"]],
  ["the name of a parameter", `${path}?${KEY}=1`, AUTHORIZED, ["query.[redacted]"]],
  ["the name of a parameter, encoded", `${path}?${encoded}=1`, AUTHORIZED, ["query.[redacted]"]],
  ["a parameter that is known", `${path}?limit=0&search=${KEY}`, AUTHORIZED, ["query.limit"]],
  ["a parameter that is known, encoded", `${path}?limit=0&search=a${encoded}`, AUTHORIZED, ["query.limit"]],
  ["a parameter that is known, in base64", `${path}?limit=0&search=${base64}`, AUTHORIZED, ["query.limit"]],
  ["the path", `/v1/${KEY}/x`, AUTHORIZED, ["path"]],
  ["the path, encoded", `/v1/${encoded}/x`, AUTHORIZED, ["path"]],
];

const COMES_BACK: [title: string, headers: Record<string, string>, body: string, locations: string[]][] = [
  ["the name of a member", {}, JSON.stringify({ ...PAGE, [KEY]: 1 }), ["body.[redacted]"]],
  ["the name of a header", { [`idempotency-${KEY}`]: "1" }, JSON.stringify(PAGE), ["header.idempotency-[redacted]"]],
  ["the media type", { "content-type": KEY }, JSON.stringify(PAGE), ["header.content-type"]],
  ["a body that is not JSON", {}, KEY, ["body"]],
  ["a value of a member", {}, JSON.stringify({ ...PAGE, page: KEY }), ["body.page"]],
];

describe("a key is sent", () => {
  test.each(GOES_IN)("by %s › and is not written", async (_title, target, headers, locations) => {
    const proxy = await exchanged(responding("", 500), {}, ({ url }) => fetch(url + target, { headers }));
    const sent = proxy.entries.filter(({ direction }) => direction === "request");
    expect(sent.map(({ location }) => location).toSorted()).toEqual(locations);
    for (const text of [KEY, encoded, base64]) expect(writtenBy(proxy)).not.toContain(text);
  });

  test("in a body that is not JSON › and is not written", async () => {
    const proxy = await exchanged(responding("", 500), {}, (own) => update(own, `{"key":${KEY}`));
    expect(proxy.entries[0]).toMatchObject({ direction: "request", location: "body" });
    expect(writtenBy(proxy)).not.toContain(KEY.slice(0, 6)); // nor a piece of it
  });
});

describe("the upstream repeats a key", () => {
  test.each(COMES_BACK)("as %s › and it is not written", async (_title, headers, body, locations) => {
    const proxy = await exchanged(responding(body, 200, headers));
    expect(proxy.entries.map(({ location }) => location)).toEqual(locations);
    expect(writtenBy(proxy)).not.toContain(KEY);
  });

  test("to another client, in an internal error of the proxy › and it is not written", async () => {
    const { proxy } = await proxied(responding({ ...PAGE, [KEY]: 1 }));
    await (await list(proxy)).text();
    proxy.events.on("entry", () => {
      throw new Error(`cannot write ${KEY}`);
    });
    await (await fetch(proxy.url + path, { headers: { authorization: "ApiKey other" } })).text();
    await proxy.close();
    expect(proxy.internalErrors.length).toBeGreaterThan(0);
    expect(writtenBy(proxy)).not.toContain(KEY);
  });
});

describe("a listener that throws", () => {
  test("ends neither the exchange nor the proxy, also when it listens to internalErrors", async () => {
    const { proxy } = await proxied(responding("", 500));
    const fail = () => {
      throw new Error("the disk is full");
    };
    proxy.events.on("entry", fail).on("internalError", fail);
    expect((await fetch(proxy.url + path)).status).toBe(500);
    const { head } = await sendRaw(proxy.url, "nonsense\r\n\r\n"); // reported outside any exchange
    expect(head[0]).toContain("400 Bad Request");
    expect((await fetch(proxy.url + path)).status).toBe(500);
    await proxy.close();
    expect(proxy.summary().internalErrors).toBeGreaterThan(2);
  });
});

describe("redaction", () => {
  const learn = (authorization: string) => {
    const redactor = createRedactor({ placeholder: "[redacted]", contract });
    redactor.learn({ headers: { authorization }, target: "/" });
    return redactor;
  };

  test.each([
    ["a key with signs of its own", "ApiKey $&.b*c(d)e+", "x $&.b*c(d)e+ axbbc", "x [redacted] axbbc"],
    ["a key in a URL", "ApiKey a/b=c&d/e", "x a%2Fb%3Dc%26d%2Fe", "x [redacted]"],
    ["a key with a quotation mark, in JSON", 'ApiKey abc"defgh', 'abc\\"defgh', "[redacted]"],
    ["a short key, as a word alone", "Bearer .e", "be.e e-mail .e.", "be.e e-mail [redacted]."],
    ["the scheme alone is no key", "ApiKey", "ApiKey", "ApiKey"],
  ])("%s", (_title, header, text, want) => {
    expect(learn(header).redact(text)).toBe(want);
  });

  test("keeps the values of known parameters, and the bytes between them", () => {
    const target = "/v1/a%20b?limit=5&&limit=%35&x=1&y&=&search=a+b&limitt=7&topickey=t&pass=p";
    const want =
      "/v1/a%20b?limit=5&&limit=%35&x=[redacted]&y&=&search=a+b&limitt=7&topickey=[redacted]&pass=[redacted]";
    expect(learn("ApiKey k").redactForLog(target)).toBe(want);
  });

  test("a key that is a part of another leaves nothing of it", () => {
    const redactor = learn("ApiKey demo-key");
    redactor.remember("demo-key-of-mine");
    expect(redactor.redact("demo-key-of-mine demo-key")).toBe("[redacted] [redacted]");
  });

  test("holds the latest keys of a run of any length, however long they are", () => {
    const redactor = createRedactor({ placeholder: "[redacted]" });
    for (let index = 0; index < 1_500; index += 1) redactor.remember(`key-number-${index}-${"a".repeat(8_000)}b`);
    const started = process.cpuUsage();
    expect(redactor.redact(`${"a".repeat(20_000)} key-number-1499-${"a".repeat(8_000)}b`)).toMatch(/^a+ \[redacted\]$/);
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(2_000);
  });
});

describe("where the contract declares a key, whatever stands there is never written", () => {
  test.each([
    ["in a header", "header", { "x-api-key": "v1" }, "/v1/x?search=v1", "/[redacted]/x?search=[redacted]"],
    ["elsewhere, and one is in `Authorization`", "query", { authorization: "Bearer v1" }, "/v1/x", "/[redacted]/x"],
    ["in the query", "query", {}, "/x?X-Api-Key=%6b1&search=k1", "/x?X-Api-Key=[redacted]&search=[redacted]"],
  ])("%s", (_title, where, headers, target, want) => {
    const securitySchemes = { Key: { type: "apiKey", in: where, name: "X-Api-Key" } };
    const edited = createEditedContract((document) => {
      document.components.securitySchemes = securitySchemes;
      document.security = [{ Key: [] }];
    });
    const redactor = createRedactor({ placeholder: "[redacted]", contract: edited });
    redactor.learn({ headers, target });
    expect(redactor.redactForLog(target)).toBe(want);
  });
});
