// A schema that refers to the next one twice, and so on: written out, the contract doubles at each level.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { loadContract } from "../../src/contract/contract.js";
import { createSchemaChecker } from "../../src/contract/schema-checker.js";
import { createExpandedSize } from "../../src/mock/generated-document.js";
import { startMock } from "../../src/mock/mock-server.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";

const LEVELS = 22;

function toContract() {
  const refer = (level: number) => ({ $ref: `#/components/schemas/L${level}` });
  const levels = Array.from({ length: LEVELS }, (_none, level) => [
    `L${level}`,
    { type: "object", properties: { a: refer(level + 1), b: refer(level + 1) } },
  ]);
  const content = { "application/json": { schema: refer(0) } };
  const responses = { 200: { description: "A tree", content } };
  return {
    openapi: "3.1.0",
    info: { title: "Trees", version: "1.0.0" },
    paths: { "/v1/tree": { get: { operationId: "getTree", security: [], responses } } },
    components: { schemas: { ...Object.fromEntries(levels), [`L${LEVELS}`]: { type: "string" } } },
  };
}

let path: string;
beforeAll(async () => {
  path = join(await createTemporaryFolder(afterAll), "tree.json");
  await writeFile(path, JSON.stringify(toContract()));
});

describe("a contract that doubles at each level", () => {
  test("is measured in one walk", async () => {
    const { value } = (await loadContract(path)).file;
    const size = createExpandedSize(value as object)("document", value);
    expect(size).toBeGreaterThan(2 ** LEVELS);
    expect(size).toBeLessThan(2 ** (LEVELS + 4));
  });

  test("is served by the mock, without Prism", async () => {
    const mock = await startMock({ contractPath: path });
    onTestFinished(mock.close);
    const response = await fetch(`${mock.url}/v1/tree`);
    expect(response.status).toBe(200);
  });
});

test("a schema that 5,000 members share, as through aliases of YAML, is copied once", () => {
  let reads = 0;
  const shared = Object.defineProperty({ type: "object", items: { type: "string" } }, "minProperties", {
    enumerable: true,
    get: () => {
      reads += 1;
      return 1;
    },
  });
  const members = Array.from({ length: 5000 }, (_none, index) => [`member${index}`, shared]);
  const { errorsOf } = createSchemaChecker({});
  expect(errorsOf({ properties: Object.fromEntries(members) }, { member4999: {} })).toHaveLength(1);
  expect(reads).toBeLessThan(10);
});
