// No error repeats the key of its request, whichever part of the request holds it.
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createFetchHandler } from "../../../src/browser/fetch/fetch-handler.js";
import { CONTRACT_PATH } from "../../../src/contract/contract-file.js";
import { startMock } from "../../../src/mock/mock-server.js";
import { findSeedPath } from "../../../src/server/store/seed.js";
import { type ServerOptions, startServer } from "../../../src/start-server.js";
import { startProxy } from "../../../src/tools/proxy/proxy-server.js";
import { findFreePort } from "../../support/listen.js";
import { createTemporaryFolder } from "../../support/temporary-folder.js";

const KEY = "secret-key-4711";
const ENCODED = `%${KEY.charCodeAt(0).toString(16)}${KEY.slice(1)}`;
const UPDATE = "PATCH /v2/subscribers/ines-moreau/preferences";
const BODY = '{"channels":{"email":false}}';

const SENT: [title: string, request: string, body?: string][] = [
  ["as the value of a parameter", `GET /v1/notifications?limit=${KEY}`],
  ["as the value of a parameter, encoded", `GET /v1/notifications?limit=0&search=${ENCODED}`],
  ["as the name of a parameter", `GET /v1/notifications?${KEY}=1`],
  ["behind a second question mark", `GET /v1/notifications?limit=0&search=a?b&x=${ENCODED}`],
  ["as the subscriber", `PATCH /v2/subscribers/${KEY}/preferences`, '{"channels":{"email":1}}'],
  ["as the subscriber, encoded", `PATCH /v2/subscribers/${ENCODED}/preferences`, '{"channels":{"email":1}}'],
  ["as the workflow", UPDATE, `{"channels":{},"workflowId":["${KEY}"]}`],
  ["as the name of a member", UPDATE, `{"channels":{"${KEY}":true}}`],
  ["as the value of a member", UPDATE, `{"channels":{"email":{"is":["${KEY}"]}}}`],
  ["in a body that is no JSON", UPDATE, KEY],
  ["in a path that does not exist", `GET /${ENCODED}/x`],
];

type AtEnd = (close: () => Promise<void>) => void;
type Send = (request: Request) => Promise<Response>;

const at =
  (url: string): Send =>
  (request) =>
    fetch(new Request(request.url.replace("http://shell", url), request));

async function serve(atEnd: AtEnd, options: ServerOptions = {}): Promise<Send> {
  const server = await startServer({ apiKey: KEY, checkResponses: true, ...options });
  atEnd(server.close);
  return at(server.url);
}

const SHELLS: [string, (atEnd: AtEnd) => Promise<Send>][] = [
  ["server", (atEnd) => serve(atEnd)],
  [
    "mock",
    async (atEnd) => {
      const mock = await startMock({ apiKey: KEY });
      atEnd(mock.close);
      return at(mock.url);
    },
  ],
  [
    "fetch handler",
    async () =>
      createFetchHandler({ seed: JSON.parse(readFileSync(findSeedPath("demo"), "utf8")), apiKey: KEY }).handle,
  ],
  [
    "proxy whose upstream is down",
    async (atEnd) => {
      const proxy = await startProxy({ upstream: `http://127.0.0.1:${await findFreePort()}` });
      atEnd(proxy.close);
      return at(proxy.url);
    },
  ],
  [
    "proxy that mocks",
    async (atEnd) => {
      const missing = ["updatePreferences", "listNotifications"];
      const proxy = await startProxy({ upstream: `http://127.0.0.1:${await findFreePort()}`, missing });
      atEnd(proxy.close);
      return at(proxy.url);
    },
  ],
];

describe.each(SHELLS)("%s: the key is sent", (_title, open) => {
  let send: Send;
  beforeAll(async () => {
    send = await open(afterAll);
  });

  test.each(SENT)("%s", async (_title, what, body) => {
    const [method = "", target = ""] = what.split(" ");
    const headers = { authorization: `ApiKey ${KEY}`, "content-type": "application/json" };
    const request = new Request(`http://shell${target}`, { method, headers, ...(body === undefined ? {} : { body }) });
    const response = await send(request);
    expect(response.status).toBeGreaterThanOrEqual(400);
    const text = await response.text();
    for (const secret of [KEY, ENCODED]) expect(text).not.toContain(secret);
  });
});

test("the server says the rest of the error: of a subscriber, and of a path with a key in its query", async () => {
  const scheme = "  securitySchemes:\n";
  const contract = readFileSync(CONTRACT_PATH, "utf8")
    .replace(scheme, `${scheme}    QueryKey: { type: apiKey, in: query, name: api_key }\n`)
    .replace("  - apiKey: []\n", "  - apiKey: []\n  - QueryKey: []\n");
  const contractPath = join(await createTemporaryFolder(), "openapi.yaml");
  await writeFile(contractPath, contract);
  const send = await serve(onTestFinished, { contractPath });
  const update = async (target: string, authorization: string) => {
    const headers = { authorization, "content-type": "application/json" };
    const response = await send(new Request(`http://shell${target}`, { method: "PATCH", headers, body: BODY }));
    return { status: response.status, ...((await response.json()) as object) };
  };
  expect(await update(`/v2/subscribers/${KEY}/preferences`, `ApiKey ${KEY}`)).toMatchObject({
    status: 404,
    message: expect.stringMatching(/^Subscriber with id: … is not found/),
  });
  const path = "/v2/x?search=a?b&api_key=";
  expect(await update(path + KEY, "")).toMatchObject({ status: 404, path: `${path}…` });
});
