// Responses of the proxy in the upstream's place: marked, reported and counted.
import { expect, test } from "vitest";
import { AUTHORIZED, PAGE, PAGE_HEADERS, proxied } from "./proxied.js";

const respond: Parameters<typeof proxied>[0] = (_request, response) =>
  response.writeHead(200, PAGE_HEADERS).end(JSON.stringify(PAGE));

test("a fault replaces the response, marked as such and readable for pages of other origins", async () => {
  let received = 0;
  const { proxy } = await proxied(
    (request, response) => {
      received += 1;
      respond(request, response);
    },
    {
      faults: ["second-page-fails"],
    },
  );
  const get = () =>
    fetch(`${proxy.url}/v1/notifications`, { headers: { ...AUTHORIZED, origin: "https://app.example.com" } });
  const responses = [await get(), await get(), await get()];
  expect(responses.map(({ status }) => status)).toEqual([200, 503, 200]);
  expect(received).toBe(2);
  const [, failed] = responses;
  expect(Object.fromEntries(failed?.headers ?? [])).toMatchObject({
    "x-mocked": "injected-fault",
    "access-control-allow-origin": "https://app.example.com",
    "retry-after": expect.stringMatching(/^\d+$/),
  });
  expect(await failed?.json()).toMatchObject({ statusCode: 503 });
  expect(proxy.entries.filter(({ kind }) => kind === "violation")).toEqual([]);
  expect(proxy.summary()).toMatchObject({ requests: 3, standIns: { "injected-fault": 1 } });
});

test("requests that a fault meets are checked all the same, also their bodies", async () => {
  const { proxy } = await proxied(respond, { faults: ["flaky-10-percent"] });
  const update = () =>
    fetch(`${proxy.url}/v2/subscribers/a/preferences`, {
      ...{ method: "PATCH", headers: { ...AUTHORIZED, "content-type": "application/json" } },
      body: JSON.stringify({ channels: { fax: true } }),
    });
  const statuses: number[] = [];
  while (!statuses.includes(503)) statuses.push((await update()).status);
  await proxy.close();
  const requests = proxy.entries.filter(({ direction }) => direction === "request");
  expect(requests.map(({ location }) => location)).toEqual(statuses.map(() => "body.channels.fax"));
});
