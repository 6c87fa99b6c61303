// A large contract is loaded in steps: a watching server responds to requests between them.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { loadContract } from "../../src/contract/contract.js";
import { parseYamlInSteps } from "../../src/contract/yaml-text.js";
import { startServer } from "../../src/start-server.js";
import { toSmallDocument } from "../support/small-contract.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";

const COUNT = 200;

function createLargeContract() {
  const schemas = Array.from({ length: COUNT }, (_none, index) => [
    `Cup${index}`,
    {
      type: "object",
      properties: { id: { type: "string", pattern: `^cup-${index}-[0-9]+$` }, size: { enum: [index] } },
    },
  ]);
  const paths = { "/v1/cups": { get: { responses: { 204: { description: "None" } } } } };
  return toSmallDocument(paths, { components: { schemas: Object.fromEntries(schemas) } });
}

const contract = createLargeContract();
const text = JSON.stringify(contract, null, 1);
let path: string;
beforeAll(async () => {
  path = join(await createTemporaryFolder(afterAll), "cups.yaml");
  await writeFile(path, text);
  await loadContract(path); // waits for modules, in which many turns pass
  await writeFile(path, `${text}\n`); // a contract that was loaded last is not loaded again
});

/** Counts the turns of the event loop until a promise is settled. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let isDone = false;
  const count = () => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  await work.finally(() => {
    isDone = true;
  });
  return turns;
}

test.each([
  ["parsing the text", () => parseYamlInSteps({ path, text }), 5],
  ["loading, which also checks and compiles each schema,", () => loadContract(path), 2 * COUNT],
])("%s lets other work go on", async (_title, work, least) => {
  expect(await turnsDuring(work())).toBeGreaterThanOrEqual(least);
});

test("a server responds to requests while a contract is loaded in its process", async () => {
  const server = await startServer();
  onTestFinished(server.close);
  await writeFile(path, text);
  let isLoading = true;
  const loading = loadContract(path).finally(() => {
    isLoading = false;
  });
  let responses = 0;
  while (isLoading) {
    expect((await fetch(`${server.url}/health`)).status).toBe(200);
    if (isLoading) responses += 1;
  }
  await loading;
  expect(responses).toBeGreaterThan(5);
});
