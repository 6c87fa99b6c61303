// One worker of test/server/control/parallel-workers.test.ts: some tests in random order, each in an environment of its own.
// Every test uses the same subscriber, the same idempotency key and the same transaction, so that environments that touch show.
import { strictEqual } from "node:assert";
import { parentPort, workerData } from "node:worker_threads";

const { url, tests, order } = workerData;

async function call(path, { method = "GET", key, body, headers = {} } = {}) {
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(key ? { authorization: `ApiKey ${key}` } : {}),
      ...(body ? { "content-type": "application/json" } : {}),
      ...headers,
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === "" ? undefined : JSON.parse(text) };
}

const control = (path, body) => call(`/_control${path}`, { method: "POST", body: body ?? {} });
const LIST = "/v1/notifications?transactionId=shared&limit=50";
const PREFERENCES = "/v2/subscribers/ines-moreau/preferences";

/** Test `number` leaves traces that depend on its number alone, and finds no others. */
async function runTest(number) {
  const { body: environment } = await control("/environments", { seed: "demo" });
  const { name, apiKey: key } = environment;
  const headers = { "idempotency-key": "shared" };
  const channels = { email: number % 2 === 0, sms: number % 3 === 0 };

  const update = await call(PREFERENCES, { method: "PATCH", key, headers, body: { channels } });
  strictEqual(update.headers.get("idempotency-replay"), null, "a recorded response of another environment");
  const count = (number % 5) + 1;
  await control(`/environments/${name}/notifications`, { subscriberId: "ines-moreau", transactionId: "shared", count });
  if (number % 4 === 0)
    await control(`/environments/${name}/faults`, { operation: "listNotifications", status: 503, count: 1 });
  const first = await call(LIST, { key });
  strictEqual(first.status, number % 4 === 0 ? 503 : 200, "a fault of another environment");
  const { body: page } = first.status === 200 ? first : await call(LIST, { key });
  strictEqual(page.data.length, count, "notifications of another environment");
  const { body: state } = await call(PREFERENCES, { method: "PATCH", key, body: { channels: {} } });
  strictEqual(state.global.channels.email, channels.email, "preferences of another environment");
  strictEqual(state.global.channels.sms, channels.sms, "preferences of another environment");
  const { body: log } = await call(`/_control/requests?environment=${name}&limit=1000`);
  strictEqual(log.requests.length, number % 4 === 0 ? 4 : 3, "requests of another environment");
  if (number % 2 === 0) await call(`/_control/environments/${name}`, { method: "DELETE" });
}

const failures = [];
for (const number of order) {
  try {
    await runTest(number);
  } catch (error) {
    failures.push(`test ${number}: ${error.message}`);
  }
}
parentPort.postMessage({ ran: tests, failures });
