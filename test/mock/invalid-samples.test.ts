// A schema that no value satisfies is named at the mock's start, as at that of `serve`.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startMock } from "../../src/mock/mock-server.js";
import { startServer } from "../../src/start-server.js";
import { createLogLines } from "../support/log-lines.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";

const CONTRACT = `openapi: 3.1.0
info: { title: Cups, version: 1.0.0 }
security: []
paths:
  /v1/cups:
    get:
      responses:
        "200":
          description: ok
          content: { application/json: { schema: { type: integer, minimum: 5, maximum: 3 } } }
`;

test.each([
  ["mock", startMock],
  ["serve", startServer],
])("%s", async (_title, start) => {
  const contractPath = join(await createTemporaryFolder(), "cups.yaml");
  await writeFile(contractPath, CONTRACT);
  const { log, logged } = createLogLines();
  const server = await start({ contractPath, log });
  onTestFinished(() => server.close());
  expect(server.implementation?.cannotBeShown).toEqual([expect.stringMatching(/^GET \/v1\/cups 200 body must be /)]);
  expect(await logged(/cups\.yaml forbids it/)).toContain("GET /v1/cups 200 body must be");
});
