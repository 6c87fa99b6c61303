// Whole reviews of contracts that mean the same, or have nothing to do with each other.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CONTRACT_PATH } from "../../../src/contract/contract-file.js";
import { isObject } from "../../../src/contract/json.js";
import { formatHtml, formatMarkdown } from "../../../src/tools/review/report/review-report.js";
import { reviewContract } from "../../../src/tools/review/review.js";
import { contract } from "../../support/contract.js";
import { createTemporaryFolder } from "../../support/temporary-folder.js";

/** With what this project's own contract does not use. */
const OTHER_API = `openapi: 3.1.0
info: { title: Pets, version: 1.0.0 }
paths:
  /pets/{id}:
    summary: A pet
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    get:
      operationId: getPet
      parameters:
        - { name: id, in: path, required: true, schema: { type: string } }
        - { name: session, in: cookie, schema: { type: string } }
        - { name: filter, in: query, content: { application/json: { schema: { type: object } } } }
      responses: { default: { description: Any. }, 2XX: { description: Ok., content: { text/plain: {} } } }
    put:
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      requestBody: { $ref: "#/components/requestBodies/Pet" }
      responses: { "204": { description: Done. } }
components:
  requestBodies:
    Pet: { content: { application/json: { schema: { $ref: "#/components/schemas/Pet" } } } }
  schemas:
    Pet : { type: object, properties: { parent: { $ref: "#/components/schemas/Pet" } } }
`;

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isObject(value)) return value;
  const sorted = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(sorted.map(([key, held]) => [key, sortKeys(held)]));
}

function reverseParameters(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reverseParameters);
  if (!isObject(value)) return value;
  const changed = Object.entries(value).map(([key, held]) => [key, reverseParameters(held)] as const);
  return Object.fromEntries(
    changed.map(([key, held]) => [key, key === "parameters" && Array.isArray(held) ? held.toReversed() : held]),
  );
}

describe("the verdict", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await createTemporaryFolder(afterAll);
  });

  test.each<[string, (document: object) => unknown]>([
    ["sorted keys", sortKeys],
    ["reversed parameters", reverseParameters],
  ])("%s mean nothing", async (_title, reorder) => {
    const contractPath = join(folder, "reordered.yaml");
    await writeFile(contractPath, JSON.stringify(reorder(contract.file.value as object)));
    const { verdict, reasons, changes, decisions } = await reviewContract({ contractPath, base: CONTRACT_PATH });
    expect(reasons).toEqual([]);
    expect(verdict).toBe("accept");
    expect(changes.filter(({ class: kind }) => kind !== "equivalent")).toEqual([]);
    expect(decisions.decisions.filter(({ status }) => status !== "unchanged")).toEqual([]);
  });

  test("a contract of another API, and a file that is no contract, have a report as well", async () => {
    const other = join(folder, "other.yaml");
    await writeFile(other, OTHER_API);
    const review = await reviewContract({ contractPath: other, base: CONTRACT_PATH });
    expect(review.reasons.flatMap(({ id, follows = [] }) => [id, ...follows.map((one) => one.id)])).toEqual(
      expect.arrayContaining(["listNotifications:request:GET//v1/notifications:existence"]),
    );
    expect(review.reasons.filter(({ id }) => id.startsWith("review:"))).toEqual([]);
    expect(formatHtml(review)).toContain("Reject");
    await writeFile(other, OTHER_API.replace("    Pet :", "    Cat :"));
    const broken = await reviewContract({ contractPath: other, base: CONTRACT_PATH });
    expect(broken.contract.isReadable).toBe(false);
    expect(broken.reasons).toEqual([
      expect.objectContaining({ message: expect.stringMatching(/other\.yaml:\d+: \$ref .* leads nowhere/) }),
    ]);
    for (const report of [formatHtml(broken), formatMarkdown(broken)]) {
      expect(report).toContain("leads nowhere");
      expect(report).toContain("It cannot be accepted: nothing else was checked.");
      expect(report, "nor does it look as if it was").not.toMatch(/None\.|No violations|No change/);
    }
  });
});
