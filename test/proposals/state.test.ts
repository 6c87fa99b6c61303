// A proposal over the state of a server: which value a member has that only the proposal knows, and what nothing can
// adapt.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CONTRACT_PATH } from "../../src/contract/contract-file.js";
import { startControlled } from "../support/controlled.js";
import { createLogLines } from "../support/log-lines.js";
import { createSmallSeed } from "../support/small-seed.js";
import { sendTo } from "../support/socket-request.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";

interface Prioritized {
  _id: string;
  priority: number;
  transactionId: string;
}

function edit(text: string, original: string, replacement: string): string {
  expect(text).toContain(original);
  return text.replace(original, replacement);
}

const OF_REFERENCES = "\n          items: { $ref";

/** What neither state nor handlers can give. */
const INVALID: [original: string, replacement: string, messages: string[]][] = [
  ["push, digest, trigger", "push, trigger", ["notification.channels[] must be", "notification.jobs[].type must be"]],
  [
    '        updatedAt:\n          $ref: "#/components/schemas/Timestamp"\n          description: When the workflow',
    "        updatedAt:\n          type: string\n          format: date\n          description: When the workflow",
    ["200 body.workflows[].workflow.updatedAt must be a date such as 2026-11-02"],
  ],
  [
    "  /v1/notifications:\n",
    "  /v1/topics:\n    get: { responses: { '200': { description: Topics., content: { application/json: { schema: { allOf: [{ type: string }, { type: integer }] } } } } } }\n  /v1/notifications:\n",
    ["GET /v1/topics 200 body must be a string", "GET /v1/topics 200 body must be an integer"],
  ],
  [
    'RateLimit-Policy: { $ref: "#/components/headers/RateLimit-Policy" }\n          content:\n            application/json:\n              schema: { $ref: "#/components/schemas/NotificationPage" }',
    'X-Total: { required: true, schema: { type: integer }, example: many }\n          content:\n            application/json:\n              schema: { $ref: "#/components/schemas/NotificationPage" }',
    ["200 header.x-total must be an integer"],
  ],
  [
    "type: integer\n          minimum: 1\n          maximum: 50",
    "type: integer\n          minimum: 60",
    ["200 body.pageSize must be at least 60"],
  ],
  [`maxItems: 50${OF_REFERENCES}`, `maxItems: 5${OF_REFERENCES}`, ["200 body.data must have at most 5 items"]],
];

/** `priority` is required of a notification. */
async function writeProposal(): Promise<string> {
  const contractPath = join(await createTemporaryFolder(), "openapi.yaml");
  const required = "required: [_environmentId, _organizationId,";
  const member = "        transactionId:\n          type: string\n";
  const text = edit(await readFile(CONTRACT_PATH, "utf8"), required, required.replace("[", "[priority, "));
  const whole = edit(text, member, `        priority: { type: integer, minimum: 1, maximum: 1000000 }\n${member}`);
  const invalid = INVALID.reduce((before, [original, replacement]) => edit(before, original, replacement), whole);
  await writeFile(contractPath, invalid);
  return contractPath;
}

test("filled values stay the same, values of the state win, and the rest is listed", async () => {
  const contractPath = await writeProposal();
  const { log, lines, logged } = createLogLines();
  const server = await startControlled({ contractPath, watch: true, log, checkResponses: false });
  // A connection each: an idle one of a pool may end while a reload keeps this process busy.
  const list = async (query: string, apiKey = server.apiKey): Promise<Prioritized[]> => {
    const headers = { authorization: `ApiKey ${apiKey}` };
    return (await sendTo(server.url, { target: `/v1/notifications?${query}`, headers })).body.data;
  };

  const all = await list("limit=50");
  expect(new Set(all.map(({ priority }) => priority)).size, "values differ").toBeGreaterThan(10);
  const pages = [...(await list("limit=10&page=0")), ...(await list("limit=10&page=1"))];
  expect(pages).toEqual(all.slice(0, 20));
  const [, second] = all;
  const found = await list(`transactionId=${second?.transactionId}`);
  expect(found.find(({ _id }) => _id === second?._id)).toEqual(second);

  const seed = createSmallSeed({ notifications: 2 });
  const notifications = seed.notifications.map((one, index) => (index ? one : { ...one, priority: 7 }));
  const { body: mine } = await server.control("POST /environments", { data: { ...seed, notifications } });
  const own = await list("limit=5", mine.apiKey);
  expect(own.map(({ priority }) => priority === 7).toSorted()).toEqual([false, true]);

  const demo: { channels: string[] }[] = JSON.parse(await readFile("data/seeds/demo.json", "utf8")).notifications;
  const records = demo.filter(({ channels }) => channels.includes("digest")).length;
  const { implementation } = (await (await fetch(`${server.url}/health`)).json()) as {
    implementation: { cannotBeShown: string[] };
  };
  const expected = INVALID.flatMap(([, , messages]) => messages).map((message) => expect.stringContaining(message));
  expect(implementation.cannotBeShown).toEqual(expected);
  expect(implementation.cannotBeShown[0]).toContain(`(records: ${records})`);
  const warnings = lines.filter((line) => line.startsWith("Sent unchanged"));
  expect(warnings).toEqual(implementation.cannotBeShown.map((message: string) => expect.stringContaining(message)));

  await writeFile(contractPath, edit(await readFile(contractPath, "utf8"), "maximum: 1000000", "maximum: 5"));
  await logged(/openapi\.yaml was reloaded/);
  for (const { priority } of await list("limit=50")) expect(priority).toBeLessThanOrEqual(5);
});
