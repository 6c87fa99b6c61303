// The reports of one run with failures of every kind: readable by their readers, and without keys.
import { readFile } from "node:fs/promises";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { validateXML } from "xmllint-wasm";
import type { About, Assumption, Failure } from "../../../src/tools/verify/case.js";
import { keysOf, redact, type Target } from "../../../src/tools/verify/declared-target.js";
import { groupFailures } from "../../../src/tools/verify/report/causes.js";
import { findDeclaration, type Report } from "../../../src/tools/verify/report/report.js";
import { formatJunit, formatMarkdown, formatTerminal } from "../../../src/tools/verify/report/text.js";
import { formatPage } from "../../../src/tools/verify/report/verify-page.js";

const NASTY = `<script>alert("&")</script> \u0000\u001b[31m ]]> \`\`\` ünï`;

type Shown = Omit<Failure, "cites" | "curl" | "sentence"> & { sentence?: string };

type Code = "required" | "additionalProperties" | "const";

const violating = (status: number, location: string, code: Code = "required"): Shown => ({
  code: "contract",
  what: "response",
  expected: "",
  actual: "",
  violation: { location, path: location.split("."), message: "is missing", code },
  received: { status, body: "" },
});

const further = (status: number, location: string) => ({
  violation: { location, path: location.split("."), message: "is wrong" },
  received: { status, body: "" },
  cites: [],
});

const toStatus = (expected: number, actual: number | string): Shown => ({
  code: "status",
  what: "status",
  expected: `${expected}`,
  actual,
  status: { expected: [expected], actual: Number.parseInt(String(actual), 10) },
});

const failed = (id: string, failure: Shown) => {
  const curl = `curl -i 'http://x/?a=<b>' -H 'authorization: ApiKey $NC_API_KEY'`;
  const sentence = `${failure.what} of ${id} is wrong.`;
  const own = { sentence, ...failure, cites: ["D-24"], curl };
  return { id, cites: ["D-24"], outcome: "fail" as const, ms: 1, failure: own };
};

const ACCEPTED = "Values that violate `maximum` are accepted: expected 422, got 200.";

const REPORT: Report = {
  url: "http://127.0.0.1:4010/",
  contract: { version: "1.0.0", sha256: "00" },
  capabilities: ["stateful"],
  except: [],
  seed: 7,
  started: "2026-11-02T09:00:00.000Z",
  seconds: 1.5,
  results: [
    { id: "listNotifications › a", cites: ["§4.2"], outcome: "pass", ms: 2 },
    failed("listNotifications › query.limit › maximum › 51", { ...toStatus(422, 200), sentence: ACCEPTED }),
    failed("listNotifications › query.page › maximum › 52", { ...toStatus(422, 200), sentence: ACCEPTED }),
    failed(`updatePreferences › ${NASTY}`, toStatus(422, NASTY)),
    { id: "keys › b", cites: [], outcome: "not applicable", ms: 0, reason: NASTY },
    { id: "keys › c", cites: [], outcome: "error", ms: 0, reason: `Error: ${NASTY}` },
  ],
  citations: { "§4.2": "Listing is `GET`.", "D-24": "Is `limit` checked?" },
  answers: { "§4.2": "", "D-24": "Yes." },
  changed: ["The preferences of ada were changed and restored."],
};

describe("reports", () => {
  test("JUnit is well-formed, whatever a target has sent", async () => {
    const xml = formatJunit(REPORT);
    const { valid, errors } = await validateXML({ xml, normalization: "format" });
    expect([valid, errors]).toEqual([true, []]);
    expect(xml).toContain('tests="6" failures="3" errors="1" skipped="1"');
    expect(xml.match(/<failure message/g)).toHaveLength(3);
  });

  test("HTML names the question of a decision once, whichever of its sentences a failure violates", () => {
    const result = failed("listNotifications › b", toStatus(422, 200));
    const failure = { ...result.failure, cites: ["D-24.1", "D-24.2"] };
    const html = formatPage({ ...REPORT, results: [{ ...result, failure }] });
    expect(html).toContain("listNotifications › b · D-24.1, D-24.2 Is <code>limit</code> checked?");
  });

  test("HTML says in the verdict why most cases are not applicable", () => {
    const results = ["a", "b", "b"].map((reason, index) => {
      return { id: `x › ${index}`, cites: [], outcome: "not applicable" as const, ms: 0, reason };
    });
    expect(formatPage({ ...REPORT, results })).toContain("3 not applicable for 2 reasons, most often: b. ");
    expect(formatPage({ ...REPORT, results: results.slice(1) })).toContain("2 not applicable: b. ");
  });

  test("HTML declares what makes cases applicable, in the form of the configuration", async () => {
    const entries = ["subscribers", "workflows", "criticalWorkflow", "unlistedWorkflows", "keys.otherApiKey"] as const;
    const lacks = [...entries.map((entry) => ({ entry })), { capabilities: ["prefer", "listing"] }];
    const declaration = findDeclaration(lacks.map((lack) => ({ lack }))) ?? {};
    const schema = new URL("../../../src/tools/verify/verify.config.schema.json", import.meta.url);
    const validate = new Ajv2020({ strict: false }).compile(JSON.parse(await readFile(schema, "utf8")));
    expect([validate(declaration), validate.errors]).toEqual([true, null]);
    const top = entries.map((name) => name.replace(/\..*/, ""));
    expect(Object.keys(declaration)).toEqual([...top, "with"]);
    expect(findDeclaration([{}])).toBeUndefined();
  });

  test("HTML loads nothing, and nothing of the target runs", () => {
    const html = formatPage(REPORT);
    expect(html).not.toMatch(/<(img|iframe|object|embed)|@import|url\(|src="|href="(?!#|data:)/);
    expect(html.match(/<script/g), "the page's own").toHaveLength(2);
    expect(html).toMatch(/http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;/);
    expect(html).toContain("&lt;script&gt;");
    for (const text of ["query.limit", "light-dark("]) expect(html).toContain(text);
  });

  test("Markdown is short", () => {
    const many = Array.from({ length: 300 }, (_, index) =>
      failed(`x › y › ${String.fromCodePoint(0x4e00 + index)} › z`, toStatus(422, `200 ${index}`.repeat(999))),
    ).map((result, index) => ({ ...result, about: { place: "query.x", keyword: `x${index}` } }));
    const markdown = formatMarkdown({ ...REPORT, results: [...REPORT.results, ...many] });
    expect(markdown.length).toBeLessThan(65_536); // what GitHub takes as a comment
    expect(markdown.match(/<details>/g)).toHaveLength(10);
  });

  test("the terminal shows each kind of failure once, and how to repeat it", () => {
    const text = formatTerminal(REPORT, false);
    expect(text).toContain(`✗ ${ACCEPTED}  [decision: D-24] (and 1 alike)\n`);
    expect(text).toContain("and 1 alike: listNotifications › query.page › maximum › 52");
    expect(text).toContain("--seed 7 --only 'listNotifications › query.limit › maximum › 51'");
    expect(text).toContain("1 passed, 3 failed for 2 causes, 1 not applicable, 1 failed in the suite itself");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a target's escape sequences must not reach a terminal
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
  });

  const ofBody = (status: number, location: string, sent: number, code: Code = "const") => ({
    ...violating(status, location, code),
    received: { status, body: `{"statusCode":${sent}}` },
  });
  const either = (statuses: number[], actual: number) => ({
    ...toStatus(422, actual),
    expected: statuses.join(" or "),
    status: { expected: statuses, actual },
  });
  const wrong = (what: string, more: object = {}): Shown => ({
    code: "value",
    what,
    expected: "x",
    actual: "y",
    ...more,
  });

  test.each<
    [title: string, failures: (Shown & { id?: string; assumes?: Assumption[]; about?: About })[], titles: string[]]
  >([
    [
      "a member that all responses lack",
      [0, 1, 2].map((index) => violating(200, `body.data.${index}.at`)),
      ["`body.data[].at` is missing."],
    ],
    ["a header of all responses", [200, 404].map(() => wrong("header.content-type")), ["sentence 0"]],
    [
      "another status of errors, in both operations",
      ["listNotifications › a › b", "updatePreferences › c › d"].map((id) => ({ id, ...toStatus(422, "400 {}") })),
      ["Rejects requests with 400 instead of 422."],
    ],
    [
      "another status of errors, which is also wrong where one of several would be right (1)",
      [toStatus(422, 400), either([200, 422], 400), either([200, 409], 404)],
      ["sentence 0", "sentence 2"],
    ],
    [
      "internal errors, whatever is expected",
      [422, 200].map((expected) => ({ id: `a › ${expected}`, ...toStatus(expected, "500 {}") })),
      ["Expected another status, got 500."],
    ],
    [
      "two keywords that are not checked",
      ["maximum", "minimum"].map((keyword) => ({ about: { place: "query.b", keyword }, ...toStatus(422, 200) })),
      ["sentence 0", "sentence 1"],
    ],
    [
      "two members that are rejected",
      ["query.a", "query.b"].map((named) => ({ ...toStatus(200, 422), named, hypothesis: `because of ${named}` })),
      ["because of query.a", "because of query.b"],
    ],
    [
      "records of several filters",
      ["a", "b", "c"].map((name) => wrong("body.data.0", { kind: "foreign", parameters: [name] })),
      ["sentence 0"],
    ],
    [
      "places of one response",
      [0, 1].map((index) => ({
        ...violating(200, `body.data.${index}.at`),
        further: [further(200, `body.data.${index}.to`)],
      })),
      ["`body.data[].at` is missing.", "`body.data[].to` is wrong."],
    ],
    [
      "errors of another form, but not their headers",
      [
        ...[422, 404].map((status) => ({
          ...violating(status, "body.message"),
          further: ["body.detail", "body.code"].map((place) => further(status, place)),
        })),
        violating(405, "header.allow"),
      ],
      ["Errors do not have the contract's form.", "sentence 2"],
    ],
    [
      "another status of errors, whose bodies are those of the expected one (1)",
      [toStatus(422, 400), ofBody(400, "body.statusCode", 422), ofBody(400, "body.statusCode", 500)],
      ["sentence 0"],
    ],
    [
      "an internal error, whose bodies are those of the expected status (2)",
      [toStatus(422, 500), ofBody(500, "body.statusCode", 422), ofBody(500, "body.errorId", 422, "required")],
      ["sentence 0"],
    ],
    [
      "another status of errors, which the bodies of others show (2), but not their headers",
      [
        ...[toStatus(422, 400), toStatus(422, 400), violating(400, "body.errors", "additionalProperties")],
        ...[violating(400, "body.timestamp"), violating(401, "header.www-authenticate")],
        { ...violating(422, "header.x-request-id"), assumes: ["clock"] },
      ],
      ["Rejects requests with 400 instead of 422.", "sentence 4", "sentence 5"],
    ],
  ])("failures are grouped by cause: %s", (title, failures, titles) => {
    const results = failures.map(({ id = "a › b › c", assumes, about, ...failure }, index) => ({
      ...failed(id, { sentence: `sentence ${index}`, ...failure }),
      ...(about ? { about } : {}),
      ...(assumes ? { assumes } : {}),
    }));
    const groups = groupFailures({ results });
    expect(groups.map(({ title }) => title)).toEqual(titles);
    const following = /\((\d)\)/.exec(title)?.[1] ?? 0;
    expect(groups.flatMap(({ consequences }) => consequences)).toHaveLength(Number(following));
  });

  test("a cause shows the case with the shortest request, if one has any", () => {
    const wrong: Shown = { code: "value", what: "body.page", expected: 2, actual: 1, sentence: "`body.page` is 1." };
    const [long, short] = [failed("a › long", wrong), failed("a › short", wrong)];
    const { curl: _curl, ...without } = failed("a › without", wrong).failure;
    Object.assign(long.failure, { curl: `${long.failure.curl} -H 'a: b'` });
    const results = [{ ...short, id: "a › without", failure: without }, long, short];
    expect(groupFailures({ results }).map(({ first }) => first.id)).toEqual(["a › short"]);
  });

  test("keys are removed in every form that a request has them in", () => {
    const apiKey = `se"cret 'key/`;
    const keys = keysOf({ apiKey, otherApiKey: "k2" } as Target);
    const list = [encodeURIComponent(apiKey), JSON.stringify(apiKey), `Basic ${btoa(`x:${apiKey}`)}`];
    expect(redact({ text: `ApiKey ${apiKey}`, list, other: "k2", curl: "k2" }, keys)).toEqual({
      text: "ApiKey $NC_API_KEY",
      list: ["$NC_API_KEY", '"$NC_API_KEY"', "Basic $NC_API_KEY"],
      other: "$NC_API_KEY",
      curl: "k2",
    });
  });
});
