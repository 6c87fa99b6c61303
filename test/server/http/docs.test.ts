// The pages of proposals: the console offers their operations, docs and home page show what is mocked.
import { describe, expect, test } from "vitest";
import type { Contract } from "../../../src/contract/contract.js";
import type { Operation } from "../../../src/contract/model.js";
import { formatCodes, type RequestSpec } from "../../../src/contract/request.js";
import { splitTarget } from "../../../src/contract/target.js";
import type { ConsoleData } from "../../../src/pages/docs/console-data.js";
import { createDocsPage } from "../../../src/pages/docs/docs-page.js";
import { outlineOf } from "../../../src/pages/docs/examples.js";
import { createConsolePage, createHomePage } from "../../../src/pages/docs/server-pages.js";
import { PROPOSALS, toProposal } from "../../proposals/proposals.js";
import { contract } from "../../support/contract.js";
import { createEditedContract } from "../../support/edited-contract.js";
import { SIZES } from "../../support/sizes.js";
import { createSmallContract, ok } from "../../support/small-contract.js";

const address = "http://127.0.0.1:4010";

describe("the pages of a proposal", () => {
  const withStatus = PROPOSALS.filter(({ status }) => status);
  test.each(withStatus.filter((_proposal, index) => index % SIZES.everyPage === 0))("$title", (proposal) => {
    const contract = toProposal(proposal);
    const mocked = proposal.status?.mocked ?? [];
    const { text } = createDocsPage(contract, { mocked, address, apiKey: "k" });
    expect(text.match(/<span class="tag warn">mocked/g)?.length ?? 0).toBe(mocked.length);
    for (const { path } of contract.operations) expect(text).toContain(`<code>${path}</code>`);
    const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(ids, "ids are unique").toEqual([...new Set(ids)]);
    const links = [...text.matchAll(/ href="#([^"]+)"/g)].map(([, id]) => id);
    const broken = links.filter((id) => !ids.includes(id) && id !== "main");
    expect(broken, "links lead somewhere").toEqual([]);
    const { title, version } = contract.document.info;
    const { operations } = contract;
    const shared = { title, version, operations, address, hasConsole: true, shownKey: "k" };
    const { text: console } = createConsolePage(contract);
    const [, json = ""] = /<script type="application\/json" id="data">(.*?)<\/script>/.exec(console) ?? [];
    const offered = (JSON.parse(json) as ConsoleData).operations.map(({ id, fields }) => [id, ...namesOf(fields)]);
    expect(offered).toEqual(operations.map(({ id, parameters }) => [id, ...namesOf(parameters)]));
    const home = createHomePage({ ...shared, implementation: proposal.status });
    for (const place of Object.values(proposal.status ?? {}).flat()) expect(home.text).toContain(place);
  });
});

const namesOf = (parts: readonly { name: string }[]) => parts.map(({ name }) => name.toLowerCase()).toSorted();

const list = (parts: object, more: object = {}) =>
  createSmallContract({ "/v1/cups": { get: { operationId: "listCups", responses: ok({}), ...parts } } }, more);
const responding = (schema: object) => list({ responses: ok(schema) });
const taking = (type: string, schema: object) =>
  createSmallContract({
    "/v1/cups": {
      post: { operationId: "addCup", requestBody: { content: { [type]: { schema } } }, responses: ok({}) },
    },
  });
const FORM = {
  type: "object",
  required: ["grant", "scope"],
  properties: { grant: { const: "code" }, scope: { const: "a b" } },
};
const IDS = { type: "array", items: { enum: [1] }, minItems: 2 };
const STATE = { type: "object", required: ["a"], properties: { a: { enum: ["b c"] } } };
const STRING = { type: "string" };
const A_AND_B = { a: STRING, b: { type: "integer" } };

test("the docs show each operation's address and key, the errors, and what is deprecated", () => {
  const { text } = createDocsPage(contract, { address, apiKey: "$NC_API_KEY" });
  for (const part of [
    '<a href="#operation-updatePreferences">',
    '<a href="#errors">',
    "<code>http://127.0.0.1:4010<",
    '<code>search</code> <span class="soft">query, string</span> <span class="tag warn">deprecated<',
    "authorization: ApiKey &#39;&quot;$NC_API_KEY&quot;", // a key that is not shown
    "apiKey: process.env.NC_API_KEY ?? &quot;&quot;,",
  ])
    expect(text).toContain(part);
});

describe("a request in TypeScript", () => {
  const LIST = { method: "GET", target: "/v1/notifications" };
  const UPDATE = { method: "PATCH", target: "/v2/subscribers/ann/preferences" };
  const BODY = { body: '{"channels":{}}', headers: { "content-type": "application/json" } };
  const NONE = "// The typed client does not send such a request.";
  test.each<[title: string, request: Partial<RequestSpec>, code: string]>([
    [
      "the query's values by their kinds, and a repeated name as a list",
      { ...LIST, target: `${LIST.target}?channels=email&limit=5&topicKey=7&x=1&x=2` },
      'client.listNotifications( { channels: ["email"], limit: 5, topicKey: "7", x: ["1", "2"], }, );',
    ],
    ["a body", { ...UPDATE, ...BODY }, 'client.updatePreferences("ann", { channels: {} });'],
    ["an update without a body", UPDATE, NONE],
    ["an update with a query", { ...UPDATE, ...BODY, target: `${UPDATE.target}?a=b` }, NONE],
    ["a list with a body", { ...LIST, ...BODY }, NONE],
  ])("%s", (_title, { method = "", target = "", headers, body }, code) => {
    const operation = contract.findOperation(method, splitTarget(target).path) as Operation;
    const request = { method, target, headers: { authorization: "ApiKey k", ...headers }, ...(body && { body }) };
    const [, [language, text = ""] = []] = formatCodes(request, address, outlineOf(operation));
    expect([language, text.replaceAll(/\s+/g, " ")]).toEqual(["TypeScript", expect.stringContaining(code)]);
  });
});

describe("the docs show of a contract", () => {
  const schemes = (schemes: object, security: object[]) =>
    list({}, { components: { securitySchemes: schemes }, security });
  test.each<[title: string, contract: Contract, html: RegExp]>([
    ["nothing about errors without an example of one", list({}), /^(?!.*(?:href="#|id=")errors")/s],
    [
      "where each key goes, and scopes",
      schemes(
        {
          Key: { type: "apiKey", in: "header", name: "X-Key" },
          Other: { type: "http", scheme: "Other" },
          OAuth: {
            type: "oauth2",
            flows: { implicit: {}, clientCredentials: { tokenUrl: "https://example.com/token" } },
          },
        },
        [{ Key: [], Other: [] }, {}, { OAuth: ["cups:read"] }],
      ),
      /Key: <code>X-Key: &lt;key&gt;<.code> \(Key\) and <code>Authorization: Other &lt;key&gt;<.code> \(Other\), or no key, or <code>Authorization: ApiKey &lt;key&gt;<.code> \(OAuth, tokens from <code>https:\/\/example.com\/token<.code>\), with the scope <code>cups:read/,
    ],
    ["no code of the typed client, which lacks the operation", list({}), /^(?!.*in TypeScript)/s],
    ["which operations are open", list({ security: [] }), /Open: it needs no key\./],
    [
      "every media type with its own schema",
      list({
        responses: {
          200: {
            description: "ok",
            content: {
              "text/csv": { schema: { type: "string", enum: ["a", "b"] } },
              "application/json": { schema: { type: "integer" } },
            },
          },
        },
      }),
      /<code>text\/csv<.code> <span class="soft">string<.span> <.p>\s*<p class="soft">one of a, b<.p>.*<code>application\/json<.code> <span class="soft">integer/s,
    ],
    [
      "branches of oneOf in place, and the values of maps",
      responding({
        oneOf: [
          { type: "string", maxLength: 7 },
          {
            type: "object",
            additionalProperties: { type: "object", properties: { inner: { type: "boolean" } } },
          },
        ],
      }),
      /One of:.*string <span class="soft">at most 7 characters.*map of object.*<code>inner<.code>/s,
    ],
    [
      "the type of constants, once",
      responding({ anyOf: [{ enum: ["a", "b"] }, STRING, { type: "null" }] }),
      /<code>application\/json<.code> <span class="soft">string or null<.span>/,
    ],
    [
      "alternatives that only ask for members, as a constraint",
      responding({ type: "object", properties: A_AND_B, anyOf: [{ required: ["a"] }, { required: ["b"] }] }),
      /object<.span> <.p>\s*<p class="soft">at least one of <code>a<.code>, <code>b<.code><.p>.*<code>a<.code> <span class="soft">string/s,
    ],
    [
      "alternatives that ask for members of an object",
      responding({
        type: "object",
        properties: A_AND_B,
        oneOf: ["a", "b"].map((name) => ({ type: "object", required: [name] })),
      }),
      /object<.span> <.p>\s*<p class="soft">exactly one of <code>a<.code>, <code>b<.code><.p>.*<code>a<.code> <span class="soft">string/s,
    ],
    [
      "members beside alternatives that limit one of them",
      responding({
        type: "object",
        properties: A_AND_B,
        anyOf: [{ required: ["a"] }, { properties: { b: { maximum: 9 } }, required: ["b"] }],
      }),
      /<span class="soft">object<.span> <.p>.*<code>a<.code> <span class="soft">string.*<code>b<.code> <span class="soft">integer.*One of:.*<code>b<.code> <span class="soft">\S+ · at most 9/s,
    ],
    [
      "a body in curl even without an example",
      taking("application/json", {
        type: "object",
        required: ["channel"],
        properties: { channel: { enum: ["fax"] } },
      }),
      /--data-raw &#39;{&quot;channel&quot;:&quot;fax&quot;}&#39;/,
    ],
    [
      "a body of another JSON type",
      taking("application/merge-patch+json", { type: "object" }),
      /-H &#39;content-type: application\/merge-patch\+json&#39; \\\n {2}--data-raw &#39;{}&#39;/s,
    ],
    [
      "the fields of a form",
      taking("application/x-www-form-urlencoded", FORM),
      /urlencoded&#39; \\\n {2}--data-raw &#39;grant=code&amp;scope=a\+b&#39;/s,
    ],
    [
      "the parts of a form",
      taking("multipart/form-data", FORM),
      /multipart\/form-data; boundary=(\w+)&#39; \\\n {2}--data-raw &#39;--\1&#13;\nContent-Disposition: form-data; name=&quot;grant&quot;&#13;\n&#13;\ncode&#13;\n.*--\1--/s,
    ],
    [
      "a place for a body in a form that nothing writes",
      taking("application/xml", FORM),
      /--data-raw &#39;&lt;body&gt;/,
    ],
    [
      "required parameters as they are sent, with their styles, and a key in a cookie",
      list(
        {
          parameters: [
            { name: "where", in: "query", required: true, style: "deepObject", explode: true, schema: STATE },
            { name: "json", in: "query", required: true, content: { "application/json": { schema: STATE } } },
            { name: "ids", in: "query", required: true, explode: false, schema: IDS },
            { name: "lang", in: "cookie", required: true, schema: { enum: ["en"] } },
          ],
        },
        {
          components: { securitySchemes: { Key: { type: "apiKey", in: "cookie", name: "sid" } } },
          security: [{ Key: [] }],
        },
      ),
      /\/v1\/cups\?where%5Ba%5D=b%20c&amp;json=%7B%22a%22%3A%22b%20c%22%7D&amp;ids=1,1&#39; \\\n {2}-H &#39;cookie: lang=en; sid=k&#39;.*<code>where<.code> <span class="soft">query, as name\[member\]=value, object/s,
    ],
  ])("%s", (_title, shown, html) => {
    expect(createDocsPage(shown, { address, apiKey: "k" }).text).toMatch(html);
  });

  test("no request with a parameter that was renamed", () => {
    const renamed = createEditedContract(({ components: { parameters } }) => {
      Object.assign(parameters?.subscriberIds ?? {}, { name: "subscribers" });
    });
    expect(createDocsPage(renamed, { address, apiKey: "k" }).text).not.toContain("subscriberIds=");
  });
});
