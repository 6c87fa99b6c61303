// The proxy reports causes: nothing is repeated for each record or exchange.
import { expect, test } from "vitest";
import { formatEntry, formatSummary } from "../../../src/cli/proxy-command.js";
import { formatMarkdown, titleOf } from "../../../src/tools/proxy/causes.js";
import type { ReportEntry } from "../../../src/tools/proxy/reporter.js";
import { list, PAGE, proxied, responding, update } from "./proxied.js";

const ID = "6".repeat(24);
const record = { _environmentId: ID, _organizationId: ID, _subscriberId: ID, transactionId: "t" };
const withRecords = (count: number, more: object) => ({
  ...PAGE,
  pageSize: 50,
  data: Array.from({ length: count }, () => ({ ...record, ...more })),
});

test("270 records of two exchanges that violate one rule are one cause", async () => {
  const { proxy } = await proxied(responding(withRecords(27, { createdAt: "soon", topics: null, tags: 1 })));
  for (const _exchange of [1, 2]) await (await list(proxy, "?limit=50")).text();
  await proxy.close();
  const shown = proxy.entries.filter(({ isFirst }) => isFirst);
  expect(proxy.entries).toHaveLength(2 * shown.length);
  const places = ["createdAt", "tags", "topics"].map((name) => [`body.data.0.${name}`, 27]);
  expect(shown.map(({ location, records }) => [location, records]).toSorted()).toEqual(places);
  const summary = proxy.summary();
  expect(summary.causes.map(({ exchanges, records }) => [exchanges, records])).toEqual(shown.map(() => [2, 54]));
  const output = shown.map((entry) => formatEntry(entry, { isColoured: false })).join("") + formatSummary(summary);
  expect(output.split("\n").length).toBeLessThan(30);
  expect(output).toMatch(/body\.data\.0\.tags {2}.* \(27 records\)\n/);
  expect(output).toMatch(
    /✗ response {2}listNotifications {2}body\.data\[\]\.tags .*: 54 records in 2 exchanges, first #1\n/,
  );
});

test("values in a message do not make another cause, another place does", async () => {
  let page = 7;
  const { proxy } = await proxied((_request, response) => responding({ ...PAGE, page: page++ })(_request, response));
  for (const query of ["?page=1", "?page=2", "?page=x"]) await (await list(proxy, query)).text();
  await proxy.close();
  const causes = proxy.summary().causes.map(({ first, exchanges }) => [first.direction, first.location, exchanges]);
  expect(causes).toEqual([
    ["response", "body.page", 2],
    ["request", "query.page", 1],
    ["response", "status", 1],
  ]);
});

test("the terminal and the comment count a violation of several operations once, with what follows from it", async () => {
  const { proxy } = await proxied(responding({ statusCode: 400, message: "Wrong.", key: 1 }, 400));
  await list(proxy, "?limit=51");
  await update(proxy, { chanels: { email: true } });
  await proxy.close();
  const text = formatSummary(proxy.summary());
  const status = "Rejects requests with 400 instead of 422";
  expect(text).toContain(`✗ response  listNotifications, updatePreferences  ${status}: 2 exchanges, first #1\n`);
  expect(text).toMatch(/^ {4}probably follows from it: body\.key is unknown/m);
  expect(text).toMatch(
    /^✗ request .* body\.chanels is unknown.*\n {4}probably follows from it: body\.channels is required$/m,
  );
  const [, count] = /^(\d+) causes: \d+ in your server, 2 in your client\.$/m.exec(text) ?? [];
  expect(text.match(/^✗/gm)).toHaveLength(Number(count));
  const markdown = formatMarkdown(proxy.summary());
  expect(markdown.match(/^<details><summary>Your (server|client)/gm)).toHaveLength(Number(count));
  expect(markdown).toMatch(
    /<summary>Your client.*chanels<\/code> is unknown.*\n\nFirst in exchange 2, in 1 exchange\.\n\n```sh\ncurl /s,
  );
});

test.each<[location: string, message: string, title: string, exchanges?: number]>([
  ["status", "418 is not declared for a", "Responds with 418, which is not declared for a"],
  [
    "status",
    "500: no request may cause an internal error",
    "Responds with 500: no request may cause an internal error",
  ],
  ["method", "PUT is not allowed at this path. Allowed methods: GET.", "Sends PUT to /a, which does not allow it"],
  ["path", "There is no resource at this path. Did you mean GET /b?", "Calls /a, which does not exist", 2],
  ["path", "There is no resource at this path. It lists them.", "Calls paths that do not exist, such as /a", 2],
  ["header.authorization", "Missing authorization header. Send it.", "Sends no `Authorization` header"],
  ["header.authorization", "is in a cookie", "`header.authorization` is in a cookie"],
  ["body", "The body is not valid JSON", "Sends a body that is not valid JSON"],
  ["body.data.0.tags", "must be a list", "`body.data[].tags` must be a list"],
])("the title of a cause at %s: %s", (location, message, title, exchanges = 1) => {
  const entry = {
    kind: "violation",
    direction: "request",
    method: "PUT",
    target: "/a?b=c",
    location,
    message,
  } as const;
  const rest = { time: "", exchange: 1, operation: null, isFirst: true };
  expect(titleOf({ first: { ...entry, ...rest } satisfies ReportEntry, exchanges })).toBe(title);
});
