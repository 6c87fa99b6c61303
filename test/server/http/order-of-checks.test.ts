// Requests with two errors (D-47). Each row has the error of its status and one of a later step.
import { beforeAll, describe, expect, test } from "vitest";
import { createReference, type Reference, type TestRequest } from "../../support/reference.js";
import { createScriptedLog } from "../../support/scripted-log.js";

const PREFERENCES = "/v2/subscribers/ines-moreau/preferences";
const NOBODY = "/v2/subscribers/nobody/preferences";
const TOO_LARGE = `{"channels":{"email":"${"x".repeat(102_400)}"}}`;
const NO_KEY = { authorization: null };
const TEXT = { "content-type": "text/plain" };
const CRITICAL = { channels: {}, workflowId: "password-reset" };
const listWithin = (after: string, before: string) =>
  `/v1/notifications?after=${after}T00:00:00Z&before=${before}T00:00:00Z`;

const ROWS: [string, TestRequest, number][] = [
  ["no key before an unknown path", { url: "/v1/nope", headers: NO_KEY }, 401],
  ["no key before a wrong method", { method: "POST", url: "/v1/notifications", headers: NO_KEY }, 401],
  ["no key before a bad query", { url: "/v1/notifications?limit=0", headers: NO_KEY }, 401],
  ["no key before a body that is not JSON", patch({ rawBody: "{", headers: NO_KEY }), 401],
  ["no key before a body that is too large", patch({ rawBody: TOO_LARGE, headers: { authorization: "x" } }), 401],
  ["no key before Prefer", { url: "/v1/notifications", headers: { ...NO_KEY, prefer: "code=503, delay=60000" } }, 401],
  ["unknown path before a body that is not JSON", patch({ url: "/v2/nope", rawBody: "{" }), 404],
  ["wrong method before a body that is not JSON", patch({ method: "PUT", rawBody: "{" }), 405],
  ["undecodable path before its body", patch({ url: "/v2/subscribers/%ZZ/preferences", rawBody: "{" }), 400],
  ["body too large before body not JSON", patch({ rawBody: TOO_LARGE.slice(1) }), 413],
  ["other media type before a body too large", patch({ rawBody: TOO_LARGE, headers: TEXT }), 415],
  ["body not JSON before an unknown query parameter", patch({ url: `${PREFERENCES}?x=1`, rawBody: "{" }), 400],
  ["undecodable query before an invalid body", patch({ url: `${PREFERENCES}?x=%ZZ`, body: {} }), 400],
  ["invalid body before an unknown workflow", patch({ body: { channels: { email: 1 }, workflowId: "nope" } }), 422],
  ["invalid body before an unknown subscriber", patch({ url: NOBODY, body: {} }), 422],
  ["unknown subscriber before a critical workflow", patch({ url: NOBODY, body: CRITICAL }), 404],
  ["bad query before a bad Prefer", { url: "/v1/notifications?limit=0", headers: { prefer: "code=999" } }, 422],
  ["bad query before dates outside the plan", { url: `${listWithin("1990-01-01", "1990-01-02")}&limit=0` }, 422],
  ["dates outside the plan before an inverted range", { url: listWithin("1990-01-02", "1990-01-01") }, 402],
  ["inverted range before a filter without match", { url: `${listWithin("2026-11-01", "2026-10-01")}&emails=x` }, 400],
];

describe("order of checks", () => {
  let reference: Reference;
  beforeAll(async () => {
    reference = await createReference();
  });

  test.each(ROWS)("%s", async (_title, request, status) => {
    const response = await reference.send(request);
    expect(response.status).toBe(status);
    expect(response.body.statusCode).toBe(status);
  });

  test("of two 404s, the workflow's comes first", async () => {
    const response = await reference.send(patch({ url: NOBODY, body: { channels: {}, workflowId: "nope" } }));
    expect(response.body.ctx).toEqual({ code: "workflowNotFound", decision: "D-18", workflowId: "nope" });
  });

  test("a running request with the same key comes before a reused key, the contract before both", async () => {
    const log = createScriptedLog();
    const slowServer = await createReference({ log });
    const headers = { "idempotency-key": "order" };
    const first = slowServer.send(patch({ headers, body: { channels: { email: false } } }));
    const commit = await log.takeCommit();
    const reused = await slowServer.send(patch({ headers, body: { channels: { email: true } } }));
    const invalid = await slowServer.send(patch({ headers, body: { channels: { email: null } } }));
    commit.succeed();
    expect([(await first).status, reused.status, invalid.status]).toEqual([200, 409, 422]);
    expect(invalid.body.ctx).toEqual({ code: "invalidRequest", decision: "D-49" });
    expect([reused.headers.link, invalid.headers.link]).toEqual(['</docs#decision-D-57>; rel="help"', undefined]);
  });

  test("the contract before a reused key, and that before Prefer and faults", async () => {
    const { send } = await createReference();
    const headers = { "idempotency-key": "order", prefer: "code=503" };
    await send(patch({ headers: { "idempotency-key": "order" }, body: { channels: { email: false } } }));
    const invalid = await send(patch({ headers, body: { channels: { email: null } } }));
    const reused = await send(patch({ headers, body: { channels: { email: true } } }));
    const same = await send(patch({ headers, body: { channels: { email: false } } }));
    expect(reused.headers.link).toBe('</docs#decision-D-59>; rel="help"');
    const docs = await send({ url: "/docs" });
    for (const decision of ["D-57", "D-59"]) expect(docs.text).toContain(`id="decision-${decision}"`);
    expect([invalid.body.ctx.code, reused.body.ctx.code, same.status]).toEqual([
      "invalidRequest",
      "idempotencyKeyReused",
      503,
    ]);
  });
});

function patch({ headers, ...request }: Partial<TestRequest>): TestRequest {
  return { method: "PATCH", url: PREFERENCES, headers: { "content-type": "application/json", ...headers }, ...request };
}
