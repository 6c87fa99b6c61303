// A run that cannot start says what is missing, in one message.
import { afterAll, describe, expect, test } from "vitest";
import { loadContract } from "../../../src/contract/contract.js";
import { startServer } from "../../../src/server/server.js";
import { openTransport } from "../../../src/tools/verify/http-transport.js";
import { assertPreconditions, isOurs, readHealth } from "../../../src/tools/verify/preconditions.js";
import { TARGETS, type Target } from "../../../src/tools/verify/target.js";
import { startBackend } from "./backend.js";
import { MAIN_KEY, OTHER_KEY, TARGET_DATA } from "./backend-data.js";

const contract = await loadContract();
const backend = await startBackend();
afterAll(backend.close);

async function check(changes: Partial<Target>): Promise<string> {
  const target: Target = { ...TARGETS.implementation, ...TARGET_DATA, url: backend.url, ...changes };
  const transport = openTransport(target);
  return assertPreconditions(contract, target, transport)
    .then(
      () => "",
      ({ message }: Error) => message,
    )
    .finally(transport.close);
}

describe("preconditions", () => {
  test.each<[expected: string, target: Partial<Target>]>([
    ["/x/v1/notifications responds with 404. Check the path in --url.", { url: new URL("/x", backend.url) }],
    ["The subscriber x does not exist (404). Create it, or name another with --subscriber.", { subscriber: "x" }],
    ["--subscriber and --other-subscriber are the same.", { otherSubscriber: "ada" }],
    ["The workflow w does not exist (404). Name another with --workflow.", { workflow: "w" }],
    ["The second API key is rejected (401). Correct NC_OTHER_API_KEY, or unset it.", { otherApiKey: "nope" }],
    ["NC_OTHER_API_KEY is the same key as NC_API_KEY.", { otherApiKey: MAIN_KEY }],
  ])("%s", async (expected, target) => {
    expect(await check(target)).toBe(`The target cannot be tested yet:\n  ${expected}`);
  });

  test("all that is missing is one message", async () => {
    const message = await check({ subscriber: "x", otherSubscriber: "y", otherApiKey: "nope" });
    expect(message.split("\n")).toHaveLength(4);
  });

  test("with all of them there is none", async () => {
    expect(await check({ otherApiKey: OTHER_KEY })).toBe("");
    expect(await check({ workflow: "newsletter" }), "others are listed: a case fails").toBe("");
  });
});

test("our own server is recognized, another is not", async () => {
  const server = await startServer();
  const kinds = [];
  for (const url of [new URL(server.url), backend.url]) {
    const transport = openTransport({ url });
    kinds.push(isOurs(await readHealth(url, transport).finally(transport.close)));
  }
  await server.close();
  expect(kinds).toEqual([true, false]);
});
