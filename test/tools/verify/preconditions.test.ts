// A run that cannot start says what is missing, in one message.
import { afterAll, describe, expect, test } from "vitest";
import { loadContract } from "../../../src/contract/contract.js";
import { ConfigError } from "../../../src/core/options.js";
import { startServer } from "../../../src/start-server.js";
import { TARGETS, type Target } from "../../../src/tools/verify/declared-target.js";
import { openTransport } from "../../../src/tools/verify/http-transport.js";
import { assertPreconditions, isOurs, readHealth } from "../../../src/tools/verify/preconditions.js";
import { startBackend } from "./backend.js";
import { MAIN_KEY, OTHER_KEY, TARGET_DATA } from "./backend-data.js";

const contract = await loadContract();
const backend = await startBackend();
afterAll(backend.close);

function check(changes: Partial<Target>): Promise<void> {
  const target: Target = { ...TARGETS.implementation, ...TARGET_DATA, url: backend.url, ...changes };
  const transport = openTransport(target);
  return assertPreconditions(contract, target, transport).finally(transport.close);
}

const LISTED = ["zebra-welcome", "weekly_digest", "incident.alert", "order_wf_shippedTodayABCD"];
const toListed = (identifiers: string[]) => identifiers.map((identifier) => ({ identifier }));

describe("preconditions", () => {
  test.each<[expected: string, target: Partial<Target>]>([
    ["/x/v1/notifications responds with 404. Check the path in --url.", { url: new URL("/x", backend.url) }],
    ["The subscriber x (--subscriber) does not exist (404). Create it, or name another.", { subscriber: "x" }],
    ["--subscriber and --other-subscriber are the same.", { otherSubscriber: "ada" }],
    ["The workflow w (--workflow) does not exist (404). Create it, or name another.", { workflow: "w" }],
    [
      "The subscriber x (`subscribers[2]` in c.json) does not exist (404). Create it, or name another.",
      { furtherSubscribers: ["x"], configFile: "c.json" },
    ],
    [
      "The workflow x (`criticalWorkflow` in c.json) does not exist (404). Create it, or name another.",
      { criticalWorkflow: "x", configFile: "c.json" },
    ],
    [
      `\`workflows\` in c.json has another order than the target. The target lists ${LISTED.join(", ")}.`,
      { listedWorkflows: toListed(LISTED.toReversed()), configFile: "c.json" },
    ],
    [
      `\`workflows\` in c.json has receipt, which the target does not list. The target lists ${LISTED.join(", ")}.`,
      { listedWorkflows: toListed([...LISTED, "receipt"]), configFile: "c.json" },
    ],
    [
      `\`workflows\` in c.json lacks ${LISTED.slice(2).join(", ")}. The target lists ${LISTED.join(", ")}.`,
      { listedWorkflows: toListed(LISTED.slice(0, 2)), configFile: "c.json" },
    ],
    ["The second API key is rejected (401). Correct NC_OTHER_API_KEY, or unset it.", { otherApiKey: "nope" }],
    ["NC_OTHER_API_KEY is the same key as NC_API_KEY.", { otherApiKey: MAIN_KEY }],
  ])("%s", async (expected, target) => {
    await expect(check(target)).rejects.toThrow(new ConfigError(`The target cannot be tested yet:\n  ${expected}`));
  });

  test("all that is missing is one message", async () => {
    const checked = check({ subscriber: "x", otherSubscriber: "y", otherApiKey: "nope" });
    await expect(checked).rejects.toThrow(/^.*\n {2}.* x .*\n {2}.* y .*\n {2}.*NC_OTHER_API_KEY.*$/);
  });

  test("with all of them there is none", async () => {
    await check({ otherApiKey: OTHER_KEY });
    await check({ listedWorkflows: toListed(LISTED), criticalWorkflow: "password", unlistedWorkflows: ["receipt"] });
    await check({ workflow: "newsletter" }); // it is not listed, which a case reports
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
