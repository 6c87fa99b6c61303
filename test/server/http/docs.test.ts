// The pages of proposals: the console offers their operations, docs and home page show what is mocked.
import { describe, expect, test } from "vitest";
import type { OpenApiDocument, OperationObject, SchemaObject } from "../../../src/contract/openapi-document.js";
import type { ConsoleData } from "../../../src/pages/docs/console-data.js";
import { createDocsPage } from "../../../src/pages/docs/docs-page.js";
import { createConsolePage, createHomePage } from "../../../src/pages/docs/server-pages.js";
import { PROPOSALS, toProposal } from "../../proposals/proposals.js";
import { createEditedContract } from "../../support/edited-contract.js";
import { SIZES } from "../../support/sizes.js";

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

const KEYED = { type: "apiKey", in: "header", name: "X-Key" };
const text = (schema: SchemaObject) => ({ schema });
const FORM = {
  type: "object",
  required: ["grant", "scope"],
  properties: { grant: { const: "code" }, scope: { const: "a b" } },
};
const takingBody = (type: string, schema: SchemaObject) => (document: OpenApiDocument) => {
  const update = document.paths["/v2/subscribers/{subscriberId}/preferences"]?.patch;
  if (update) update.requestBody = { content: { [type]: text(schema) } };
};

test("a key that is not shown is read from the environment, in both languages", () => {
  const { text } = createDocsPage(
    createEditedContract(() => {}),
    { address, apiKey: "$NC_API_KEY" },
  );
  for (const code of [
    "authorization: ApiKey &#39;&quot;$NC_API_KEY&quot;",
    "apiKey: process.env.NC_API_KEY ?? &quot;&quot;,",
  ])
    expect(text).toContain(code);
});

describe("the docs show of a contract", () => {
  const cases: [title: string, edit: (document: OpenApiDocument) => void, html: RegExp][] = [
    [
      "its address, its key, and the way to what it has",
      (document) => {
        list(document).parameters = [];
      },
      /<a href="#operation-updatePreferences">.*<a href="#errors">.*<code>http:\/\/127.0.0.1:4010<.*<code>k</s,
    ],
    [
      "which parameter is deprecated",
      () => {},
      /<code>search<.code> <span class="soft">query, string<.span> <span class="tag warn">deprecated</,
    ],
    [
      "nothing about errors without an example of one",
      ({ components }) => {
        for (const response of Object.values(components.responses ?? {}))
          for (const media of Object.values(response.content ?? {})) delete media.examples;
      },
      /^(?!.*(?:href="#|id=")errors")/s,
    ],
    [
      "where each key goes, and scopes",
      (document) => {
        const other = { type: "http", scheme: "Other" };
        const flows = { implicit: {}, clientCredentials: { tokenUrl: "https://example.com/token" } };
        document.components.securitySchemes = { Key: KEYED, Other: other, OAuth: { type: "oauth2", flows } };
        document.security = [{ Key: [], Other: [] }, {}, { OAuth: ["notifications:read"] }];
      },
      /Key: <code>X-Key: &lt;key&gt;<.code> \(Key\) and <code>Authorization: Other &lt;key&gt;<.code> \(Other\), or no key, or <code>Authorization: ApiKey &lt;key&gt;<.code> \(OAuth, tokens from <code>https:\/\/example.com\/token<.code>\), with the scope <code>notifications:read/,
    ],
    [
      "which operations are open",
      (document) => Object.assign(list(document), { security: [] }),
      /Open: it needs no key\./,
    ],
    [
      "every media type with its own schema",
      (document) => {
        list(document).responses["200"] = {
          description: "ok",
          content: {
            "text/csv": text({ type: "string", enum: ["a", "b"] }),
            "application/json": text({ type: "integer" }),
          },
        };
      },
      /<code>text\/csv<.code> <span class="soft">string<.span> <.p>\s*<p class="soft">one of a, b<.p>.*<code>application\/json<.code> <span class="soft">integer/s,
    ],
    [
      "branches of oneOf in place, and the values of maps",
      (document) => {
        const map = {
          type: "object",
          additionalProperties: { type: "object", properties: { inner: { type: "boolean" } } },
        };
        list(document).responses["200"] = {
          description: "ok",
          content: { "application/json": text({ oneOf: [{ type: "string", maxLength: 7 }, map] }) },
        };
      },
      /One of:.*string <span class="soft">at most 7 characters.*map of object.*<code>inner<.code>/s,
    ],
    [
      "the type of constants, once",
      (document) => {
        const code = { anyOf: [{ enum: ["a", "b"] }, { type: "string" }, { type: "null" }] };
        list(document).responses["200"] = { description: "ok", content: { "application/json": text(code) } };
      },
      /<code>application\/json<.code> <span class="soft">string or null<.span>/,
    ],
    [
      "alternatives that only ask for members, as a constraint",
      (document) => {
        const properties = { a: { type: "string" }, b: { type: "integer" } };
        const either = { type: "object", properties, anyOf: [{ required: ["a"] }, { required: ["b"] }] };
        list(document).responses["200"] = { description: "ok", content: { "application/json": text(either) } };
      },
      /object<.span> <.p>\s*<p class="soft">at least one of <code>a<.code>, <code>b<.code><.p>.*<code>a<.code> <span class="soft">string/s,
    ],
    [
      "alternatives that ask for members of an object",
      (document) => {
        const oneOf = ["a", "b"].map((name) => ({ type: "object", required: [name] }));
        const either = { type: "object", properties: { a: { type: "string" }, b: {} }, oneOf };
        list(document).responses["200"] = { description: "ok", content: { "application/json": text(either) } };
      },
      /object<.span> <.p>\s*<p class="soft">exactly one of <code>a<.code>, <code>b<.code><.p>.*<code>a<.code> <span class="soft">string/s,
    ],
    [
      "members beside alternatives that limit one of them",
      (document) => {
        const anyOf = [{ required: ["a"] }, { properties: { b: { maximum: 9 } }, required: ["b"] }];
        const either = { type: "object", properties: { a: { type: "string" }, b: { type: "integer" } }, anyOf };
        list(document).responses["200"] = { description: "ok", content: { "application/json": text(either) } };
      },
      /<span class="soft">object<.span> <.p>.*<code>a<.code> <span class="soft">string.*<code>b<.code> <span class="soft">integer.*One of:.*<code>b<.code> <span class="soft">\S+ · at most 9/s,
    ],
    [
      "styles of parameters",
      (document) => {
        const object = { type: "object", properties: { a: { type: "string" } } };
        list(document).parameters = [
          { name: "where", in: "query", style: "deepObject", explode: true, schema: object },
        ];
      },
      /<code>where<.code> <span class="soft">query, as name\[member\]=value, object/,
    ],
    [
      "a body in curl even without an example",
      takingBody("application/json", {
        type: "object",
        required: ["channel"],
        properties: { channel: { enum: ["fax"] } },
      }),
      /--data-raw &#39;{&quot;channel&quot;:&quot;fax&quot;}&#39;/,
    ],
    [
      "no request with a parameter that was renamed",
      ({ components: { parameters } }) => Object.assign(parameters?.subscriberIds ?? {}, { name: "subscribers" }),
      /^(?!.*subscriberIds=)/s,
    ],
    [
      "a body of another JSON type",
      takingBody("application/merge-patch+json", { type: "object" }),
      /-H &#39;content-type: application\/merge-patch\+json&#39; \\\n {2}--data-raw &#39;{}&#39;/s,
    ],
    [
      "the fields of a form",
      takingBody("application/x-www-form-urlencoded", FORM),
      /urlencoded&#39; \\\n {2}--data-raw &#39;grant=code&amp;scope=a\+b&#39;/s,
    ],
    [
      "the parts of a form",
      takingBody("multipart/form-data", FORM),
      /multipart\/form-data; boundary=(\w+)&#39; \\\n {2}--data-raw &#39;--\1&#13;\nContent-Disposition: form-data; name=&quot;grant&quot;&#13;\n&#13;\ncode&#13;\n.*--\1--/s,
    ],
    [
      "a place for a body in a form that nothing writes",
      takingBody("application/xml", FORM),
      /--data-raw &#39;&lt;body&gt;/,
    ],
    [
      "required parameters as they are sent, and a key in a cookie",
      (document) => {
        document.components.securitySchemes = { Key: { type: "apiKey", in: "cookie", name: "sid" } };
        document.security = [{ Key: [] }];
        const required = (name: string, schema: SchemaObject, more: object) =>
          Object.assign({ name, in: "query", required: true, schema }, more) as never;
        const state = { type: "object", required: ["a"], properties: { a: { enum: ["b c"] } } };
        list(document).parameters = [
          required("where", state, { style: "deepObject", explode: true }),
          required("json", {}, { schema: undefined, content: { "application/json": text(state) } }),
          required("ids", { type: "array", items: { enum: [1] }, minItems: 2 }, { explode: false }),
          required("lang", { enum: ["en"] }, { in: "cookie" }),
        ];
      },
      /\/v1\/notifications\?where%5Ba%5D=b%20c&amp;json=%7B%22a%22%3A%22b%20c%22%7D&amp;ids=1,1&#39; \\\n {2}-H &#39;cookie: lang=en; sid=k&#39;/,
    ],
  ];
  test.each(cases)("%s", (_title, edit, html) => {
    const { text } = createDocsPage(createEditedContract(edit), { address, apiKey: "k" });
    expect(text).toMatch(html);
  });
});

function list({ paths }: OpenApiDocument): OperationObject {
  const operation = paths["/v1/notifications"]?.get;
  if (!operation) throw new Error("the contract has no list");
  return operation;
}
