// The official client of the interface, unmodified, against the running server: it parses every response, and every
// error has its declared class.
import { createRequire } from "node:module";
import type { NotificationsControllerListNotificationsRequest } from "@novu/api/models/operations/index.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningServer, startServer } from "../../src/start-server.js";

const NOW = new Date("2026-11-02T09:00:00.000Z");
const NO_RETRY = { retryConfig: { strategy: "none" } } as const;
const require = createRequire(import.meta.url);

/** A version of the client. Its types are taken to be those of the newest. */
export function loadClient(packageName: string) {
  const { Novu } = require(packageName) as typeof import("@novu/api");
  const { HTTPClient } = require(`${packageName}/lib/http.js`) as typeof import("@novu/api/lib/http.js");
  const errors = require(`${packageName}/models/errors/index.js`) as typeof import("@novu/api/models/errors/index.js");
  const open = ({ url, apiKey }: { url: string; apiKey: string }, httpClient = new HTTPClient()) =>
    new Novu({ secretKey: apiKey, serverURL: url, httpClient, ...NO_RETRY });
  return { open, HTTPClient, ...errors };
}

/** Declares the tests of one version, without the requests that it cannot send. */
export function describeClient(packageName: string, { without = [] }: { without?: string[] } = {}): void {
  const { open, HTTPClient, ErrorDto, SDKError, ValidationErrorDto } = loadClient(packageName);
  let server: RunningServer;
  let novu: ReturnType<typeof open>;
  beforeAll(async () => {
    server = await startServer({ now: NOW, checkResponses: true });
    novu = open(server);
  });
  afterAll(() => server.close());

  describe("notifications.list", () => {
    const rows: [string, NotificationsControllerListNotificationsRequest, number][] = [
      ["nothing", {}, 10],
      ["page and limit", { page: 2, limit: 50 }, 50],
      ["channels", { channels: ["sms", "in_app"], limit: 5 }, 5],
      ["templates", { templates: ["66e0f1a20c4b3d5e6f708101"] }, 10],
      ["emails", { emails: ["ines.moreau@example.com", "amara+tidepool@example.com"], limit: 50 }, 33],
      ["search", { search: "moreau", limit: 50 }, 42],
      ["subscriberIds", { subscriberIds: ["crew/night shift"] }, 6],
      ["transactionId", { transactionId: "deploy-2026-10-30-2" }, 5],
      ["topicKey", { topicKey: "project:lighthouse", limit: 50 }, 16],
      ["after and before", { after: "2026-10-30T00:00:00.000Z", before: "2026-10-31T00:00:00.000Z", limit: 50 }, 11],
    ];
    test.each(rows.filter(([title]) => !without.includes(title)))("%s", async (_title, request, length) => {
      const { result } = await novu.notifications.list(request);
      expect(result.data).toHaveLength(length);
      expect([result.page, result.pageSize]).toEqual([request.page ?? 0, request.limit ?? 10]);
    });

    test("every record of the demo is parsed, page after page", async () => {
      const ids = new Set<string | undefined>();
      for (let page = 0, hasMore = true; hasMore; page++) {
        const { result } = await novu.notifications.list({ page, limit: 50 });
        for (const { id } of result.data) ids.add(id);
        ({ hasMore } = result);
      }
      expect(ids.size).toBe(150);
    });
  });

  describe("subscribers.preferences.update", () => {
    test("global and workflow updates are parsed", async () => {
      const global = await novu.subscribers.preferences.update({ channels: { inApp: false } }, "ines-moreau");
      expect(global.result.global.channels.inApp).toBe(false);
      const workflow = await novu.subscribers.preferences.update(
        { channels: { inApp: true }, workflowId: "comment-mention" },
        "ines-moreau",
      );
      const entry = workflow.result.workflows.find(({ workflow: { identifier } }) => identifier === "comment-mention");
      expect(entry?.channels.inApp).toBe(true);
      expect(entry?.overrides.map(({ source }) => source)).toEqual(["subscriber", "subscriber", "subscriber"]);
    });

    test("a subscriberId that needs percent-encoding arrives whole", async () => {
      const { result } = await novu.subscribers.preferences.update({ channels: { chat: false } }, "crew/night shift");
      expect(result.global.channels.chat).toBe(false);
    });

    test("an idempotent call is replayed with the header that says so", async () => {
      const call = () =>
        novu.subscribers.preferences.update({ channels: { push: false } }, "eleni-papadaki", "client-1");
      const first = await call();
      await novu.subscribers.preferences.update({ channels: { push: true } }, "eleni-papadaki");
      const second = await call();
      expect(second.result).toEqual(first.result);
      expect(first.headers["idempotency-replay"]).toBeUndefined();
      expect(second.headers["idempotency-replay"]).toEqual(["true"]);
      expect(second.headers["idempotency-key"]).toEqual(["client-1"]);
    });
  });

  describe("errors are of their declared class", () => {
    const update = (patch: object, subscriberId = "ines-moreau", key?: string) =>
      novu.subscribers.preferences.update(patch, subscriberId, key);
    const rows: [string, () => Promise<unknown>, new (...args: never[]) => Error, number][] = [
      ["400 critical workflow", () => update({ channels: {}, workflowId: "password-reset" }), ErrorDto, 400],
      [
        "400 inverted range",
        () => novu.notifications.list({ after: "2026-11-01T00:00:00Z", before: "2026-10-01T00:00:00Z" }),
        ErrorDto,
        400,
      ],
      ["401 unknown key", () => open({ ...server, apiKey: "other" }).notifications.list({}), ErrorDto, 401],
      ["402 outside the plan", () => novu.notifications.list({ after: "1990-01-01T00:00:00Z" }), SDKError, 402],
      ["404 subscriber", () => update({ channels: {} }, "nobody"), ErrorDto, 404],
      ["404 workflow", () => update({ channels: {}, workflowId: "nope" }), ErrorDto, 404],
      ["413 too large", () => update({ channels: {}, workflowId: "x".repeat(102_400) }), ErrorDto, 413],
      ["422 limit", () => novu.notifications.list({ limit: 51 }), ValidationErrorDto, 422],
      ["422 no channels", () => update({}), ValidationErrorDto, 422],
      ["422 key too long", () => update({ channels: {} }, "ines-moreau", "k".repeat(256)), ValidationErrorDto, 422],
    ];
    test.each(rows.filter(([title]) => !without.includes(title)))("%s", async (_title, call, kind, status) => {
      const error = await call().catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(kind);
      expect(error).toMatchObject({ statusCode: status });
    });

    // No request of this client causes these on a healthy server: Prefer does.
    test.each([
      [405, ErrorDto],
      [409, ErrorDto],
      [415, ErrorDto],
      [429, SDKError],
      [500, ErrorDto],
      [503, SDKError],
    ])("%i, as the contract's example has it", async (status, kind) => {
      const httpClient = new HTTPClient();
      httpClient.addHook("beforeRequest", (request) => {
        request.headers.set("prefer", `code=${status}`);
        return request;
      });
      const error = await open(server, httpClient)
        .subscribers.preferences.update({ channels: {} }, "ines-moreau")
        .catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(kind);
      expect(error).toMatchObject({ statusCode: status });
    });

    test("422 reused key, with the errors by location", async () => {
      await update({ channels: { sms: false } }, "ines-moreau", "client-2");
      const error = await update({ channels: { sms: true } }, "ines-moreau", "client-2").catch(
        (reason: unknown) => reason,
      );
      expect(error).toBeInstanceOf(ValidationErrorDto);
      expect(Object.keys((error as InstanceType<typeof ValidationErrorDto>).errors)).toEqual([
        "header.idempotency-key",
      ]);
    });
  });
}
