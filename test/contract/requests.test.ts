// The request of each example (`x-request`) leads to the example on the reference server, on the demo seed with the
// clock at its `asOf`. The table below has further requests, whose responses the contract does not show.
import { beforeEach, describe, expect, test } from "vitest";
import type { ExampleObject, ExampleRequest, ExampleSetting, Operation } from "../../src/contract/model.js";
import { mainMedia } from "../../src/contract/operation.js";
import { toTestRequest } from "../support/example-request.js";
import { createReference, type Reference, type TestResponse } from "../support/reference.js";
import { createScriptedLog } from "../support/scripted-log.js";

const reference = await createReference();
const { operations } = reference.contract;
beforeEach(reference.reset);

/** Operations share some examples: each appears once, with the operation that its request names, else the first. */
const EXAMPLES = new Map<ExampleObject, { title: string; operation: Operation; status: number }>();
for (const own of operations) {
  for (const { key, status, content } of own.responses) {
    for (const { name, object } of mainMedia({ content })?.examples ?? []) {
      if (EXAMPLES.has(object)) continue;
      const operation = operations.find(({ id }) => id === object["x-request"]?.operation) ?? own;
      EXAMPLES.set(object, { title: `${operation.id} › ${key} › ${name}`, operation, status });
    }
  }
}

const INES = { subscriberId: "ines-moreau" };

type Row = [title: string, id: string, request: ExampleRequest, expected: object, setting?: ExampleSetting];
const ROWS: Row[] = [
  [
    "a wrong method on the other path",
    "updatePreferences",
    { path: INES, method: "GET" },
    { statusCode: 405, message: expect.stringContaining('To read preferences, send an update with {"channels":{}}.') },
  ],
  [
    "a bug in the other operation",
    "updatePreferences",
    { path: INES, body: { channels: { email: false } } },
    { statusCode: 500, ctx: { decision: "D-55" } },
    { condition: "fault" },
  ],
  [
    "no timestamp",
    "listNotifications",
    { query: { after: "yesterday" } },
    { statusCode: 422, errors: { "query.after": { code: "format", value: "yesterday", decision: "D-39" } } },
  ],
  [
    "the last page",
    "listNotifications",
    { query: { subscriberIds: "amara-okafor", limit: 5, page: 1 } },
    { page: 1, pageSize: 5, hasMore: false, data: [{ jobs: [{ type: "digest", digest: { unit: "minutes" } }, {}] }] },
  ],
  [
    "a deleted subscriber",
    "listNotifications",
    { query: { transactionId: "txn_6ad86d440c4b3d5e7300001d" } },
    { data: [expect.not.objectContaining({ subscriber: expect.anything() })] },
  ],
];

describe("the requests of examples", () => {
  const replayed = [...EXAMPLES].map(([example, { title, operation, status }]) => ({
    ...{ title, operation, status },
    ...{ value: example.value, request: example["x-request"] ?? {}, setting: example["x-given"] ?? {} },
  }));
  test.each(replayed)("$title", async ({ operation, request, setting, status, value }) => {
    const response = await replay(operation, request, setting);
    expect([response.status, withoutErrorId(response.body)]).toEqual([status, withoutErrorId(value)]);
  });

  test("each status has an example", () => {
    for (const { responses } of operations)
      for (const response of responses) expect(mainMedia(response)?.examples, response.key).not.toEqual([]);
  });

  test("the first example of the list suits a feed, which loads no more", () => {
    const [first] = [...EXAMPLES].filter(
      ([, { operation, status }]) => operation.id === "listNotifications" && status === 200,
    );
    expect(first?.[0].value).toMatchObject({ page: 0, pageSize: 10, hasMore: false, data: [{}, {}] });
  });
});

describe("further requests", () => {
  test.each(ROWS)("%s", async (_title, id, request, expected, setting = {}) => {
    const operation = operations.find((one) => one.id === id) as Operation;
    expect((await replay(operation, request, setting)).body).toMatchObject(expected);
  });
});

/** Sends a request in its setting: after others, to a server with a slow disk or a bug, or beyond a rate limit. */
async function replay(
  operation: Operation,
  request: ExampleRequest,
  { requests = [], condition }: ExampleSetting,
): Promise<TestResponse> {
  const log = condition === "slowDisk" ? createScriptedLog() : undefined;
  const { send, store }: Reference = condition ? await createReference(log ? { log } : {}) : reference;
  const sendExample = (example: ExampleRequest) => send(toTestRequest(operation, example));
  if (condition === "fault") {
    const fail = () => {
      throw new Error("a bug");
    };
    Object.defineProperties(store.environments[0], { state: { get: fail }, transact: { value: fail } });
  }
  if (condition === "rateLimit")
    await send({ method: "POST", url: "/_control/environments/default/faults", body: { preset: "rate-limited" } });
  const pending: Promise<TestResponse>[] = [];
  for (const earlier of requests) {
    pending.push(sendExample(earlier));
    if (!log) await pending.at(-1);
  }
  const commit = await log?.takeCommit();
  const response = await sendExample(request);
  commit?.succeed();
  await Promise.all(pending);
  return response;
}

/** Error ids differ from run to run, and the message repeats them. */
function withoutErrorId(body: unknown): unknown {
  const { errorId } = body as { errorId?: string };
  return errorId === undefined ? body : JSON.parse(JSON.stringify(body).replaceAll(errorId, "errorId"));
}
