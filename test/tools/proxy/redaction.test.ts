// Keys are never written by the proxy, wherever they are sent.
import { describe, expect, test } from "vitest";
import { toBlock, toSummaryText } from "../../../src/cli/proxy-command.js";
import { createRedactor } from "../../../src/server/http/redactor.js";
import { AUTHORIZED, KEY, list, PAGE, proxied, responding, sendRaw, type Watched } from "./proxied.js";

/** All that is written of a run: the report's lines, the terminal's blocks, the internalErrors. */
function writtenBy({ entries, internalErrors, summary }: Watched): string {
  return [
    ...entries.map((entry) => `${JSON.stringify(entry)}\n${toBlock(entry, { isColoured: false })}`),
    ...internalErrors.map(({ stack }) => stack),
    toSummaryText(summary()),
  ].join("\n");
}

const path = "/v1/notifications";
const encoded = [...KEY].map((character) => `%${character.charCodeAt(0).toString(16)}`).join("");
const twice = encoded.replaceAll("%", "%25");
const basic = Buffer.from(`ada:${KEY}`).toString("base64");

/** Where a request is wrong that has no key of the contract, a parameter of that name, and one called by the key. */
const NAMED = (...names: string[]) =>
  ["header.authorization", ...names.map((name) => `query.${name}`), "query.[redacted]"].toSorted();

const GOES_IN: [title: string, target: string, headers: Record<string, string>, locations: string[]][] = [
  ["the header, under another scheme", path, { authorization: `Bearer ${KEY}` }, ["header.authorization"]],
  ["the header, without a scheme", path, { authorization: KEY }, ["header.authorization"]],
  ["a parameter that is not known", `${path}?apiKey=${KEY}`, AUTHORIZED, ["query.apiKey"]],
  ["a parameter that is not known, alone", `${path}?x=${KEY}`, {}, ["header.authorization", "query.x"]],
  ["the name of a parameter", `${path}?${KEY}=1`, AUTHORIZED, ["query.[redacted]"]],
  ["a parameter without a value, and no other", `${path}?${KEY}`, {}, ["header.authorization", "query.[redacted]"]],
  ["a parameter that is empty, and no other", `${path}?${encoded}=`, {}, ["header.authorization", "query.[redacted]"]],
  ["the header, before the scheme", `${path}?${KEY}=1`, { authorization: `${KEY} ApiKey` }, NAMED()],
  ["the name of a parameter, encoded", `${path}?${encoded}=1`, AUTHORIZED, ["query.[redacted]"]],
  ["a parameter that is known", `${path}?limit=0&search=${KEY}`, AUTHORIZED, ["query.limit"]],
  ["a parameter that is known, encoded", `${path}?limit=0&search=a${encoded}`, AUTHORIZED, ["query.limit"]],
  ["the path", `/v1/${KEY}/x`, AUTHORIZED, ["path"]],
  ["the name of a parameter, encoded twice", `${path}?${twice}=1`, AUTHORIZED, ["query.[redacted]"]],
  ["a parameter that is known, encoded twice", `${path}?limit=0&search=a${twice}`, AUTHORIZED, ["query.limit"]],
  ["a parameter called key, and a name", `${path}?key=${KEY}&${KEY}=1`, {}, NAMED("key")],
  ["a parameter called apiKey, and a name", `${path}?apiKey=${KEY}&${KEY}=1`, {}, NAMED("apiKey")],
  ["a parameter whose name is encoded, and a name", `${path}?api%254bey=${twice}&${KEY}=1`, {}, NAMED("api%4bey")],
  ["Basic's password, and a name", `${path}?${KEY}=1`, { authorization: `Basic ${basic}` }, NAMED()],
  ["Basic's whole, and a name", `${path}?${basic}=1`, { authorization: `Basic ${basic}` }, NAMED()],
  ["a quoted key, and a name", `${path}?${KEY}=1`, { authorization: `Bearer "${KEY}"` }, NAMED()],
  ["one of several, and a name", `${path}?${KEY}=1`, { authorization: `Bearer a1,ApiKey ${KEY},b` }, NAMED()],
  ["Digest's response, and a name", `${path}?${KEY}=1`, { authorization: `Digest r="x1",response="${KEY}"` }, NAMED()],
  ["a cookie, and a name", `${path}?${KEY}=1`, { cookie: `a=1; sid=${KEY}; lang=en` }, NAMED()],
  ["the path, encoded twice", `/v1/${twice}/x`, AUTHORIZED, ["path"]],
  ["the path, encoded, in another case", `/v1/${encoded.toUpperCase()}`, AUTHORIZED, ["path"]],
];

const COMES_BACK: [title: string, headers: Record<string, string>, body: string, locations: string[]][] = [
  ["the name of a member", {}, JSON.stringify({ ...PAGE, [KEY]: 1 }), ["body.[redacted]"]],
  [
    "the name of a member, in another case",
    {},
    JSON.stringify({ ...PAGE, [KEY.toUpperCase()]: 1 }),
    ["body.[redacted]"],
  ],
  ["the name of a header", { [`x-${KEY}`]: "1" }, JSON.stringify(PAGE), ["header.x-[redacted]"]],
  ["the value of a header", { "set-cookie": KEY }, JSON.stringify(PAGE), ["header.set-cookie"]],
  ["the media type", { "content-type": KEY }, JSON.stringify(PAGE), ["header.content-type"]],
  ["the content coding", { "content-encoding": KEY }, JSON.stringify(PAGE), ["body"]],
  ["a body that is not JSON", {}, KEY, ["body"]],
  ["a value of a member", {}, JSON.stringify({ ...PAGE, page: KEY }), ["body.page"]],
];

describe("a key is sent", () => {
  test.each(GOES_IN)("by %s › and is not written", async (_title, target, headers, locations) => {
    const { proxy } = await proxied(responding("", 500));
    await fetch(proxy.url + target, { headers });
    await proxy.close();
    const sent = proxy.entries.filter(({ direction }) => direction === "request");
    expect(sent.map(({ location }) => location).toSorted()).toEqual(locations);
    expect(writtenBy(proxy).toLowerCase()).not.toContain(KEY);
    for (const text of [encoded, twice, basic.toLowerCase()])
      expect(writtenBy(proxy).toLowerCase()).not.toContain(text);
  });

  test("in a body that is not JSON › and is not written", async () => {
    const { proxy } = await proxied(responding("", 500));
    const headers = { ...AUTHORIZED, "content-type": "application/json" };
    await fetch(`${proxy.url}/v2/subscribers/a/preferences`, { method: "PATCH", headers, body: `{"key":${KEY}` });
    await proxy.close();
    expect(proxy.entries[0]).toMatchObject({ direction: "request", location: "body" });
    expect(writtenBy(proxy)).not.toContain(KEY.slice(0, 6)); // nor a piece of it
  });
});

describe("the upstream repeats a key", () => {
  test.each(COMES_BACK)("as %s › and it is not written", async (_title, headers, body, locations) => {
    const { proxy } = await proxied(responding(body, 200, headers));
    const response = await list(proxy);
    await response.text().catch(() => {}); // fetch does not know the content coding either
    await proxy.close();
    expect(proxy.entries.map(({ location }) => location)).toEqual(locations);
    expect(writtenBy(proxy).toLowerCase()).not.toContain(KEY);
  });

  test("to another client, in an internal error of the proxy › and it is not written", async () => {
    const { proxy } = await proxied(responding({ ...PAGE, [KEY]: 1 }));
    await (await list(proxy)).text();
    proxy.violations.on("violation", () => {
      throw new Error(`cannot write ${KEY}`);
    });
    await (await fetch(proxy.url + path, { headers: { authorization: "ApiKey other" } })).text();
    await proxy.close();
    expect(proxy.internalErrors.length).toBeGreaterThan(0);
    expect(writtenBy(proxy)).not.toContain(KEY);
  });
});

describe("keys that no pattern can be made of", () => {
  const [long, brackets, special] = [`%g${"a".repeat(4000)}`, `${"(".repeat(8000)}key`, "[a-(*+?{9999999999}$|^"];

  test.each([
    ["long, with a literal percent sign", `/x?token=%25g${"a".repeat(4000)}`, {}, long],
    ["long", path, { authorization: `ApiKey ${brackets}` }, brackets],
    ["full of special characters", path, { authorization: `ApiKey ${special}` }, special],
  ])("%s › the request is reported, and the proxy goes on", async (_title, target, headers, secret) => {
    const { proxy } = await proxied(responding({ [secret]: 1 }, 500));
    expect((await fetch(proxy.url + target, { headers: headers as Record<string, string> })).status).toBe(500);
    expect((await list(proxy)).status).toBe(500);
    await proxy.close();
    expect(proxy.internalErrors).toEqual([]);
    expect(proxy.entries.map(({ location }) => location)).toContain("body.[redacted]");
    expect(proxy.entries.map(({ exchange }) => exchange)).toContain(2);
    expect(writtenBy(proxy)).not.toContain(secret.slice(0, 20));
  });

  test("many long ones › a report takes no longer for them", () => {
    const redactor = createRedactor({ placeholder: "[redacted]" });
    for (let index = 0; index < 200; index += 1)
      redactor.learn(["authorization", `ApiKey ${index}${"a".repeat(30_000)}b`], "/");
    const started = performance.now();
    redactor.redact("a".repeat(100_000));
    expect(performance.now() - started).toBeLessThan(2000);
  });

  test("a key that only begins like a long one is removed as far as it is equal", () => {
    const redactor = createRedactor({ placeholder: "[redacted]" });
    redactor.learn(["authorization", `ApiKey ${"a".repeat(300)}${"b".repeat(300)}`], "/");
    expect(redactor.redact(`x ${"a".repeat(300)}bbc`)).toBe("x [redacted]c");
  });
});

describe("a listener that throws", () => {
  test("ends neither the exchange nor the proxy, also when it listens to internalErrors", async () => {
    const { proxy } = await proxied(responding("", 500));
    const fail = () => {
      throw new Error("the disk is full");
    };
    proxy.violations.on("violation", fail).on("notChecked", fail).on("internalError", fail);
    expect((await fetch(proxy.url + path)).status).toBe(500);
    expect(await sendRaw(proxy.url, "nonsense\r\n\r\n")).toContain("400 Bad Request"); // reported outside any exchange
    expect((await fetch(proxy.url + path)).status).toBe(500);
    await proxy.close();
    expect(proxy.summary().internalErrors).toBeGreaterThan(2);
  });
});

describe("redaction", () => {
  const learn = (authorization: string) => {
    const redactor = createRedactor({ placeholder: "[redacted]", parameters: ["limit", "search"] });
    redactor.learn(["Authorization", authorization], "/");
    return redactor;
  };

  test.each([
    ["a key with signs of its own", "ApiKey a.b*c(d)e+", "x a.b*c(d)e+ axbbc", "x [redacted] axbbc"],
    ["a key in a URL", "ApiKey a/b=c&d/e", "x a%2Fb%3Dc%26d%2Fe", "x [redacted]"],
    ["a key with a quotation mark, in JSON", 'ApiKey abc"defgh', 'abc\\"defgh', "[redacted]"],
    [
      "a key in two parts, whole and in parts",
      "Digest abcdefgh ijklmnop",
      "ijklmnop abcdefgh",
      "[redacted] [redacted]",
    ],
    ["a short key, as a word alone", "Bearer e", "be e-mail e", "be [redacted]-mail [redacted]"],
    ["a key with percent signs", "ApiKey 100%41%bcdefgh", "100%41%bcdefgh 100%2541%25bcdefgh", "[redacted] [redacted]"],
    ["a key that ends in a percent sign", "ApiKey abcdefgh%", "abcdefgh%41", "[redacted]41"],
    ["a key beyond ASCII, in another case", "ApiKey cl\u00c9-secret", "CL\u00e9-SECRET", "[redacted]"],
    ["a key that was encoded for a form", "ApiKey ab cd efgh", "ab+cd+efgh", "[redacted]"],
    ["a short key between encoded blanks", "Bearer e", "a%20e%20be", "a%20[redacted]%20be"],
    ["a base64 key, without its padding", "ApiKey QUJDREVG==", "QUJDREVG== a= =", "[redacted] a= ="],
    [
      "a key beyond ASCII, as it is and encoded",
      "ApiKey cl\u00c3\u00a9-secret",
      "cl\u00e9-secret cl%c3%a9-secret",
      "[redacted] [redacted]",
    ],
    ["the scheme alone is no key", "ApiKey", "ApiKey", "ApiKey"],
  ])("%s", (_title, header, text, want) => {
    expect(learn(header).redact(text)).toBe(want);
  });

  test("keeps the values of known parameters, and the bytes between them", () => {
    const target = "/v1/a%20b?limit=5&&limit=%35&x=1&y&=&search=a+b";
    expect(learn("ApiKey k").redactTarget(target)).toBe("/v1/a%20b?limit=5&&limit=%35&x=[redacted]&y&=&search=a+b");
  });

  test("does not treat a short value of a cookie as a key", () => {
    const redactor = createRedactor({ placeholder: "[redacted]", parameters: ["limit", "search"] });
    redactor.learn(["Cookie", "lang=en; dark=1; sid=0123456789abcdef"], "/");
    expect(redactor.redact("en 1 0123456789abcdef")).toBe("en 1 [redacted]");
  });

  test("finds a key with a slash in a path", () => {
    expect(learn("ApiKey ab/cdefgh").redactTarget("/v1/ab/cdefgh/x")).toBe("/v1/[redacted]/x");
  });

  test("holds the keys of a run of any length, the latest first", () => {
    const redactor = createRedactor({ placeholder: "[redacted]", parameters: ["limit", "search"] });
    for (let index = 0; index < 1_500; index += 1)
      redactor.learn(["authorization", `ApiKey key-number-${index}-`], "/");
    expect(redactor.redact("key-number-1499-")).toBe("[redacted]");
    expect(redactor.redact("key-number-0-")).toBe("key-number-0-");
  });
});
