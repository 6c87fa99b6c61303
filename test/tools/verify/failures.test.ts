// Failures say the status that their case expects first, then what follows from it.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { loadContract } from "../../../src/contract/contract.js";
import { valueAt } from "../../../src/contract/pointer.js";
import { TARGETS } from "../../../src/tools/verify/declared-target.js";
import {
  casesOf,
  type FailureGroup,
  findFailed,
  fingerprintsOf,
  groupFailures,
} from "../../../src/tools/verify/report/causes.js";
import { countFailures } from "../../../src/tools/verify/report/report.js";
import { formatTerminal } from "../../../src/tools/verify/report/text.js";
import { verify } from "../../../src/tools/verify/verify.js";
import { Rejection, startBackend } from "./backend.js";
import { MAIN_KEY, TARGET_DATA } from "./backend-data.js";
import { around, inErrors, inPages, type Json, type Plant, plantAll } from "./plant.js";
import { findBug } from "./planted-bugs.js";
import { verifyBackend } from "./verify-backend.js";

const contract = await loadContract();

const onStatus = (from: number, to: number) =>
  around("respond", async ({ original }, request) => {
    return original(request).catch((error) => {
      throw error.status === from ? new Rejection(to) : error;
    });
  });
const acceptEverything = around("respond", async ({ original }, request) => original(request).catch(() => [200, {}]));
const RECORD = "[0-9a-f]{24}";
const LOST_UPDATES = findBug("updates read, wait and write back");

/** By the cases that fail. */
const ACCEPTED = {
  "query.after › format": "Values that violate `format` are accepted \\(query.after\\): expected 422",
  "query.limit › repeated": "Parameters that are sent twice are accepted \\(query.limit\\): expected 422",
  "query.limit › unknown parameter": "Unknown parameters are accepted \\(query.limit\\): expected 422",
  "body › additionalProperties": "Unknown members are accepted \\(body\\): expected 422",
  "› []": "Values that violate `type` are accepted: expected 422",
  "body.channels › required": "Requests without a required value are accepted \\(body.channels\\): expected 422",
  "query.limit › allowEmptyValue": "Empty values are accepted \\(query.limit\\): expected 422",
  "listNotifications › key › missing":
    "Requests without a valid key are accepted \\(header.authorization\\): expected 401",
  "listNotifications › method › PUT": "Methods that the contract lacks are accepted: expected 405",
  "body › media type › text": "Bodies of other media types are accepted \\(body\\): expected 415",
  "body › size › a byte more": "Bodies that are too large are accepted \\(body\\): expected 413",
  "body › JSON": "Invalid requests are accepted \\(body\\): expected 400",
  "after › the edge of the plan": "Times outside of the plan's window are accepted: expected 402",
  "an unknown path, before a body": "Paths and names that do not exist are accepted: expected 404",
};

const accepted = await verifyBackend(acceptEverything, { only: Object.keys(ACCEPTED) });
test.each(Object.entries(ACCEPTED))("the sentence of what is accepted: %s", (only, sentence) => {
  const results = accepted.results.filter(({ id }) => id.includes(only));
  const titles = groupFailures({ results }).map(({ title }) => title);
  expect(titles).toEqual([expect.stringMatching(`^${sentence}, got 200\\.$`)]);
});

type SentenceRow = [title: string, only: string[], sentence: RegExp, plant?: Plant];
test.each<SentenceRow>([
  ["oldest first", ["order ›"], new RegExp(`^The record ${RECORD} of 20\\S+ comes before ${RECORD} of 20\\S+\\.$`)],
  [
    "filters are not applied",
    ["topicKey › returns"],
    new RegExp(
      `is ignored: the list is the same without it\\. \\{"topicKey":".*"\\} lists ${RECORD} \\(topicKey: \\[.*\\]\\), which does not match\\.$`,
    ),
  ],
  [
    "updates read, wait and write back",
    ["concurrent › each channel"],
    /^Preferences after all of them: `global\.channels\.\w+` is (true|false) instead of (true|false)\.$/,
  ],
  ["only the first violation of a query is listed", ["12 in a query"], /^The error lists 1 violation instead of 12\.$/],
  [
    "a replay is not marked",
    ["the same request again"],
    /^`header\.idempotency-replay` is missing, and must be true\.$/,
  ],
  [
    "valid requests that are rejected, whatever error would be right, too",
    ["body.channels.email › accepts", "any text that a header can hold is a key"],
    /^Rejects valid requests with 404\.$/,
    around("respond", async ({ original }, request) => {
      const reply = await original(request);
      if (request.method === "PATCH") throw new Rejection(404);
      return reply;
    }),
  ],
  ["another status", ["method › PUT"], /^Expected 405, got 501\.$/, onStatus(405, 501)],
  [
    "no response",
    ["query.limit › maximum"],
    /^The server closed the connection without a response\.$/,
    around("handle", async (_, { socket }) => void socket.destroy()),
  ],
  [
    "a method that Allow lacks",
    ["listNotifications › method › PUT"],
    /^`header\.allow` is GET instead of GET, HEAD, OPTIONS\.$/,
    around("respond", async () => {
      throw new Rejection(405, {}, { allow: "GET" });
    }),
  ],
  ["no JSON", ["defaults"], /^The response's body is not JSON\.$/, around("serialize", () => "<h1>Hello</h1>")],
  [
    "nothing is stored",
    ["is there when it is read", "any sequence"],
    /^`channels\.email` was set to (false|true), and reads (true|false)\.$/,
    around("apply", () => {}),
  ],
  [
    "the clock is slow",
    ["the clock"],
    /^The target's clock is 2 hours behind\.$/,
    around("now", () => new Date(Date.now() - 7_300_000)),
  ],
  [
    "errors of another form",
    ["query.limit › maximum"],
    /^Errors do not have the contract's form\. `body\.statusCode` is required\.$/,
    inErrors(({ message }) => ({ detail: message })),
  ],
  [
    "a key that is not repeated, which is another one in each case",
    ["idempotency-key ›"],
    /^`header\.idempotency-key` is missing\.$/,
    around("respond", async ({ original }, request) => {
      const [status, body, { "idempotency-key": _key, ...headers } = {}] = await original(request);
      return [status, body, headers];
    }),
  ],
  [
    "a filter that omits a record",
    ["topicKey › returns"],
    new RegExp(
      `that match\\. \\{"topicKey":".*"\\} does not list ${RECORD} \\(topicKey: \\[.*\\]\\), which matches\\.$`,
    ),
    around("isMatch", ({ original }, record, query, people) => {
      return (!query.has("topicKey") || record.topics.length < 2) && original(record, query, people);
    }),
  ],
  ["a wrong value", ["hasMore ›"], /^`body\.hasMore` is true instead of false\.$/, inPages(() => ({ hasMore: true }))],
  [
    "a page that begins too late",
    ["defaults ›"],
    new RegExp(`^The page (lacks ${RECORD}|has ${RECORD} instead of ${RECORD})\\.$`),
    inPages(({ data }) => ({ data: data.slice(1) })),
  ],
  [
    "an error about another place",
    ["query.limit › maximum"],
    /^Errors repeat another value .* `body\.errors\["query\.limit"\]\.value` is "x" instead of "\d+"\.$/,
    around("toViolation", () => ({ messages: ["is wrong"], value: "x" })),
  ],
  [
    "an unknown member is reported as what contains it",
    ["body.channels › additionalProperties"],
    /The error does not name `body\.channels\.\w+`\.$/,
    around("checkUpdate", ({ original }, ...given) => {
      const errors = Object.entries(original(...given));
      return Object.fromEntries(errors.map(([place, value]) => [place.replace(/^(body\.channels)\..*/, "$1"), value]));
    }),
  ],
  ["a rejected reuse takes effect", ["a rejected reuse has no"], /^`body\.global\.channels\.email` is false/],
  ["what follows a comma in a key is dropped", ["keys are compared in full"], /^A valid request was rejected/],
  [
    "a header that must be absent",
    ["without a key ›"],
    /^`header\.idempotency-replay` must be absent, and is true\.$/,
    around("respond", async ({ original }, request) => {
      const [status, body, headers] = await original(request);
      return [status, body, { ...headers, "idempotency-replay": "true" }];
    }),
  ],
  [
    "a route that splits an encoded slash",
    ["is encoded"],
    /^The route splits .+\/.+ at its %2F, so that the subscriber is not found\.$/,
    around("decodePath", ({ original }, text) => {
      if (text.includes("%2F")) throw new Rejection(404);
      return original(text);
    }),
  ],
])("the sentence of a failure: %s", async (title, only, sentence, plant = findBug(title)) => {
  const [cause, ...others] = groupFailures(await verifyBackend(plant, { only }));
  const { title: own, sentence: detail } = cause?.first.failure ?? {};
  expect(`${cause?.title}${own === undefined ? "" : ` ${detail}`}`).toMatch(sentence);
  expect(others).toEqual([]);
});

test("a cause shows what was sent beside the rule, and quotes what is text", async () => {
  const everything = await verifyBackend(acceptEverything, { only: ['query.limit › maximum › "51"'] });
  expect(formatTerminal(everything, false)).toContain('    sent      "51" must be at most 50\n');
  const numbered = around("update", async ({ original }, ...given) =>
    original(...given).catch((error) => {
      const { ctx = {} } = error.body;
      if (/^\d+$/.test(ctx.workflowId)) ctx.workflowId = Number(ctx.workflowId);
      throw error;
    }),
  );
  const [cause] = groupFailures(await verifyBackend(numbered, { only: ["an error names the workflow"] }));
  expect(cause?.first.failure.sentence).toBe('`body.ctx.workflowId` is 7 instead of "007".');
});

test("a parameter that is ignored is one cause, whatever else is wrong by it, and shows its shortest request", async () => {
  const report = await verifyBackend(ignore("topicKey"), {
    only: ["topicKey", "random › any", "query.limit › maximum"],
    runs: 5,
  });
  const causes = groupFailures(report);
  expect(causes.map(({ title }) => title)).toEqual(["`topicKey` is ignored: the list is the same without it."]);
  const [{ first, alike, consequences }] = causes as [FailureGroup];
  expect(alike.length * consequences.length).toBeGreaterThan(0);
  const own = report.results.filter(({ id }) => alike.includes(id)).map(({ failure }) => failure?.curl?.length ?? 0);
  expect(first.failure.curl?.length).toBeLessThanOrEqual(Math.min(...own));
  const { violation, received } = first.failure;
  expect(violation?.message).toMatch(/^does not match \{"topicKey":.*\} \(topicKey: \[.*\]\)$/);
  const [index] = (violation?.location ?? "").match(/\d+$/) ?? [];
  expect(JSON.parse(received?.body ?? "").data[Number(index)]).toHaveProperty("_id");
});

const ignore = (name: string) =>
  around("handle", ({ original }, request, response) => {
    const url = request.url?.replaceAll(new RegExp(`([?&])${name}=[^&]*`, "g"), "$1");
    return original(Object.assign(request, { url }), response);
  });
const inRecords = (change: (record: Json) => Json) => inPages(({ data }) => ({ data: data.map(change) }));
const withoutTransaction = inRecords(({ transactionId: _id, ...record }) => record);

test("values that a list has not checked, since it ignores their parameter, follow from that", async () => {
  const report = await verifyBackend(ignore("channels"), { only: ["query.channels[] › enum", "channels › "] });
  const [cause, ...others] = groupFailures(report);
  expect([cause?.title, others]).toEqual(["`channels` is ignored: the list is the same without it.", []]);
  const explained = cause?.consequences.flatMap(({ first, alike }) => [first.id, ...alike]) ?? [];
  expect(explained).toContainEqual(expect.stringContaining("query.channels[] › enum"));
  expect(explained).toContainEqual(expect.stringContaining("any other name is 422"));
});

test("what follows from a server that knows no Idempotency-Key is one cause", async () => {
  const ignoreKey = around("handle", ({ original }, request, response) => {
    delete request.headers["idempotency-key"];
    return original(request, response);
  });
  const report = await verifyBackend(ignoreKey, { only: ["idempotency-key", "a reused key"] });
  const [cause, ...others] = groupFailures(report) as [FailureGroup];
  expect([cause.title, others]).toEqual(["`header.idempotency-key` is missing.", []]);
  const explained = cause.consequences.flatMap(({ first, alike }) => [first.id, ...alike]);
  expect(explained).toContainEqual(expect.stringContaining("header.idempotency-key › maxLength"));
  expect(explained).toContainEqual(expect.stringContaining("a reused key"));
  const own = casesOf([cause]);
  const known = findFailed(report.results.filter(({ id }) => own.has(id))).flatMap(fingerprintsOf);
  const shown = new Set(groupFailures({ ...report, known }).map(({ isKnown }) => isKnown));
  expect([...shown], "a baseline with the cause alone hides nothing that follows from it").toEqual([false, true]);
});

test("what is wrong with a whole body explains no member of another one", async () => {
  const repeated = around("toError", ({ original }, status, request) => ({
    ...original(status, request),
    message: `No ${request.url}`,
  }));
  const plant = plantAll(
    repeated,
    inPages(() => ({ hasMore: false })),
  );
  const causes = groupFailures(await verifyBackend(plant, { only: ["is not repeated", "hasMore"] }));
  expect(causes.map(({ title }) => title)).toEqual([
    "The response repeats a key that was sent in the query.",
    "`body.hasMore` is false instead of true.",
  ]);
});

test("a case goes on after a member that is missing: it hides nothing else", async () => {
  const only = ["query.limit › accepts", "topicKey › returns", "order ›"];
  const plant = plantAll(withoutTransaction, ignore("topicKey"));
  const report = await verifyBackend(plant, { only });
  const causes = groupFailures(report);
  expect(causes.map(({ title, consequences }) => [title, consequences])).toEqual([
    ["`body.data[].transactionId` is required.", []],
    ["`topicKey` is ignored: the list is the same without it.", []],
  ]);
  expect(causes.map(({ first }) => first.failure.curl?.includes("topicKey="))).toEqual([false, true]);
  // A baseline that knows the first cause still fails for the second one.
  const known = findFailed((await verifyBackend(withoutTransaction, { only })).results).flatMap(fingerprintsOf);
  expect(groupFailures({ ...report, known }).map(({ isKnown }) => isKnown)).toEqual([false, true]);
  expect(countFailures({ ...report, known }).added).toBeGreaterThan(0);
});

test.each<[title: string, plant: Plant]>([
  ["body.hasMore", inPages(() => ({ hasMore: undefined }))],
  ["body.data[]._subscriberId", inRecords(({ _subscriberId: _id, ...record }) => record)],
])("what is compared with a member that is missing is no cause of its own: %s", async (place, plant) => {
  const causes = groupFailures(
    await verifyBackend(plant, { only: ["random ›", "hasMore ›", "order ›", "topicKey"], runs: 3 }),
  );
  expect(causes.map(({ title }) => title)).toEqual([`\`${place}\` is required.`]);
});

test("a failure of requests that were sent at once shows them as one script", async () => {
  const [cause] = groupFailures(await verifyBackend(LOST_UPDATES, { only: ["concurrent › each channel"] }));
  expect(cause?.first.failure.curl).toMatch(/^curl -i -X PATCH [^&]* &\ncurl [\s\S]* &\nwait\ncurl [^&]*$/);
});

type Planted = [title: string, plant: Plant, only: string[], hypothesis?: string];
test.each<Planted>([
  ["hasMore is always false", inPages(() => ({ hasMore: false })), ["hasMore ›"]],
  [
    "a limit of 50 is rejected",
    around("isValid", ({ original }, name, value) => value !== "50" && original(name, value)),
    ["random › any", "query.limit › maximum"],
    "A valid request was rejected, because of query.limit.",
  ],
  ["updates are not stored", around("apply", () => {}), ["any sequence of updates"]],
  [
    "a path with a slash before it is found",
    around("respond", async ({ original }, request) => {
      return request.method === "PATCH" && request.url?.startsWith("//") ? [200, {}] : original(request);
    }),
    ["a path that is nearly the contract's"],
  ],
])("the command of a failure shows it: %s", async (_title, plant, only, hypothesis) => {
  const backend = await startBackend(plant);
  onTestFinished(backend.close);
  const target = { ...TARGET_DATA, ...TARGETS.implementation, url: backend.url };
  const report = await verify({ contract, target, seed: 5, runs: 20, only });
  const failures = report.results.flatMap(({ failure }) => failure ?? []);
  expect(failures.length).toBeGreaterThan(0);
  for (const { what, actual, curl = "", ...failure } of failures) {
    expect(failure.hypothesis).toBe(hypothesis);
    if (what === "status") expect(curl.match(/^curl /gm), "the request that failed, alone").toHaveLength(1);
    const env = { ...process.env, NC_API_KEY: MAIN_KEY };
    const { stdout } = await promisify(execFile)("sh", ["-c", curl], { env });
    const last = stdout.slice(stdout.lastIndexOf("HTTP/1.1 "));
    const [head = "", body = ""] = last.split("\r\n\r\n");
    const shown = what === "status" ? head.slice(9, 12) : valueAt(JSON.parse(body), what.split(".").slice(1));
    expect(`${what} ${shown}`).toBe(`${what} ${what === "status" ? String(actual).slice(0, 3) : actual}`);
  }
});
