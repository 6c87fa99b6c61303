// A schema that refers to the next one twice, and so on: written out, the contract doubles at each level.
import { expect, onTestFinished, test } from "vitest";
import { loadContract } from "../../src/contract/contract.js";
import { createSchemaChecker } from "../../src/contract/schema-checker.js";
import { createExpandedSize } from "../../src/mock/generated-document.js";
import { startMock } from "../../src/mock/mock-server.js";
import { ok, writeSmallContract } from "../support/small-contract.js";

const LEVELS = 22;

function writeContract(): Promise<string> {
  const refer = (level: number) => ({ $ref: `#/components/schemas/L${level}` });
  const levels = Array.from({ length: LEVELS }, (_none, level) => [
    `L${level}`,
    { type: "object", properties: { a: refer(level + 1), b: refer(level + 1) } },
  ]);
  const schemas = { ...Object.fromEntries(levels), [`L${LEVELS}`]: { type: "string" } };
  return writeSmallContract({ "/v1/tree": { get: { responses: ok(refer(0)) } } }, { components: { schemas } });
}

test("a contract that doubles at each level is measured in one walk, and served by the mock without Prism", async () => {
  const contractPath = await writeContract();
  const { value } = (await loadContract(contractPath)).file;
  const size = createExpandedSize(value as object)("document", value);
  expect(size).toBeGreaterThan(2 ** LEVELS);
  expect(size).toBeLessThan(2 ** (LEVELS + 4));
  const mock = await startMock({ contractPath });
  onTestFinished(mock.close);
  expect((await fetch(`${mock.url}/v1/tree`)).status).toBe(200);
});

test("a schema that 500 members share, as through aliases of YAML, is copied once", () => {
  let reads = 0;
  const shared = Object.defineProperty({ type: "object", items: { type: "string" } }, "minProperties", {
    enumerable: true,
    get: () => {
      reads += 1;
      return 1;
    },
  });
  const members = Array.from({ length: 500 }, (_none, index) => [`member${index}`, shared]);
  const { errorsOf } = createSchemaChecker({});
  expect(errorsOf({ properties: Object.fromEntries(members) }, { member499: {} })).toHaveLength(1);
  expect(reads).toBeLessThan(10);
});
