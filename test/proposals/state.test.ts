// A proposal over the state of a server: which value a member has that only the proposal knows, and what nothing can adapt.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CONTRACT_PATH } from "../../src/contract/contract-file.js";
import { startControlled } from "../support/controlled.js";
import { createLogLines } from "../support/log-lines.js";
import { createSmallSeed } from "../support/small-seed.js";
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

/** `priority` is required of a notification, its schema in a second file; and no step is a digest any more. */
async function writeProposal(): Promise<{ contractPath: string; priorityPath: string }> {
  const folder = await createTemporaryFolder();
  const [contractPath, priorityPath] = [join(folder, "openapi.yaml"), join(folder, "schemas/priority.yaml")];
  await mkdir(join(folder, "schemas"));
  await writeFile(priorityPath, "{ type: integer, minimum: 1, maximum: 1000000 }\n");
  const required = "required: [_environmentId, _organizationId,";
  const member = "        transactionId:\n          type: string\n";
  const text = edit(await readFile(CONTRACT_PATH, "utf8"), required, required.replace("[", "[priority, "));
  const whole = edit(text, member, `        priority: { $ref: ./schemas/priority.yaml }\n${member}`);
  await writeFile(contractPath, edit(whole, "push, digest, trigger", "push, trigger"));
  return { contractPath, priorityPath };
}

test("filled values stay the same, values of the state win, and the rest is counted once", async () => {
  const { contractPath, priorityPath } = await writeProposal();
  const { log, lines, logged } = createLogLines();
  const server = await startControlled({ contractPath, watch: true, log, checkResponses: false });
  const list = async (query: string, apiKey = server.apiKey): Promise<Prioritized[]> =>
    (await server.request(apiKey, `GET /v1/notifications?${query}`)).body.data;

  const all = await list("limit=50");
  expect(new Set(all.map(({ priority }) => priority)).size, "values differ").toBeGreaterThan(10);
  const pages = [...(await list("limit=10&page=0")), ...(await list("limit=10&page=1"))];
  expect(pages).toEqual(all.slice(0, 20));
  const [, second] = all;
  const found = await list(`transactionId=${second?.transactionId}`);
  expect(found.find(({ _id }) => _id === second?._id)).toEqual(second);

  const seed = createSmallSeed({ notifications: 2 });
  const data = {
    ...seed,
    notifications: seed.notifications.map((one, index) => (index ? one : { ...one, priority: 7 })),
  };
  const { body: mine } = await server.control("POST /environments", { data });
  const own = await list("limit=5", mine.apiKey);
  expect(own.map(({ priority }) => priority === 7).toSorted()).toEqual([false, true]);

  const demo: { channels: string[] }[] = JSON.parse(await readFile("data/seeds/demo.json", "utf8")).notifications;
  const records = demo.filter(({ channels }) => channels.includes("digest")).length;
  const { implementation } = (await (await fetch(`${server.url}/health`)).json()) as { implementation: object };
  const toEntry = (place: string) => ({ records, message: expect.stringContaining(`notification.${place} must be`) });
  expect(implementation).toMatchObject({ unadaptable: ["channels[]", "jobs[].type"].map(toEntry) });
  const warnings = lines.filter((line) => /hold what .* forbids/.test(line));
  expect(warnings).toEqual(Array(2).fill(expect.stringMatching(`^${records} notifications `)));

  await writeFile(priorityPath, "{ type: integer, minimum: 1, maximum: 5 }\n");
  await logged(/openapi\.yaml was loaded again/);
  for (const { priority } of await list("limit=50")) expect(priority).toBeLessThanOrEqual(5);
});
