// What makes the review reject a contract, with the line in openapi.yaml.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadContract } from "../../../src/contract/contract.js";
import { CONTRACT_PATH } from "../../../src/contract/contract-file.js";
import { isObject } from "../../../src/contract/json.js";
import { reviewDecisions } from "../../../src/tools/review/decision-review.js";
import { reviewExamples } from "../../../src/tools/review/example-review.js";
import { formatHtml, formatMarkdown } from "../../../src/tools/review/report/readable.js";
import { reviewContract } from "../../../src/tools/review/review.js";
import { findGap, readClauseReferences, traceClauses } from "../../../src/tools/review/trace.js";
import { loadContractText } from "../../support/contract-text.js";
import { createTemporaryFolder } from "../../support/temporary-folder.js";
import { all, change, drop, type Edit, editContract, moved, S, toEditedText, withMember } from "./contract-edit.js";

const { text } = loadContractText();
const D_99 = "  D-99: { question: a, clause: §6, answer: b, basis: judgement }";

/** Each edit turns the verdict; they are reviewed together. */
const EDITS: [title: string, found: string, replacement: string, want: { id: string; line: string }][] = [
  [
    "an example that the server does not return",
    "hasMore: true",
    "hasMore: false",
    { id: "example:listNotifications/200/firstPage", line: "        hasMore: false" },
  ],
  [
    "an example that a slow disk does not lead to",
    "Please retry after 1\n",
    "Please retry after 2\n",
    { id: "example:updatePreferences/409/inProgress", line: "        message: >-" },
  ],
  [
    "an example without the requests before it",
    "body: { channels: { email: true } }\n      x-request",
    "body: { channels: { email: false } }\n      x-request",
    { id: "example:updatePreferences/422/keyReused", line: "    updatePreferences.422.keyReused:" },
  ],
  [
    "an example that nothing leads to",
    '      x-request: { operation: listNotifications,\n          query: { after: "2026-11-01T00:00:00Z", before: "2026-10-25T00:00:00Z" } }\n',
    "",
    { id: "example:listNotifications/400/invertedRange", line: "    listNotifications.400.invertedRange:" },
  ],
  [
    "a decision that is not used",
    "\nx-decisions:\n",
    `\nx-decisions:\n${D_99}\n`,
    { id: "lint:provenance:x-decisions/D-99", line: D_99 },
  ],
  [
    "a violation of Spectral's own rules",
    "  - url: http://127.0.0.1:4010\n",
    "  - url: http://192.0.2.1:4010\n",
    { id: "lint:owasp:api8:2023-no-server-http:servers/0/url", line: "  - url: http://192.0.2.1:4010" },
  ],
];

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

const NEW_OPERATION = {
  operationId: "listThings",
  responses: { 200: { description: "Things.", content: { "application/json": { schema: { type: "object" } } } } },
};

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
  let testRoot: string; // with tests that name no clause but one
  beforeAll(async () => {
    folder = await createTemporaryFolder(afterAll);
    testRoot = join(folder, "root");
    await mkdir(join(testRoot, "test", "contract"), { recursive: true });
    await writeFile(join(testRoot, "test", "contract", "some.test.ts"), '// "§1.1"\n  "§1.2": async () => {},\n');
  });

  test("an edit is a reason to reject it, with the line", async () => {
    const edited = EDITS.reduce((before, [, found, replacement]) => before.replace(found, replacement), text);
    const contractPath = join(folder, "openapi.yaml");
    await writeFile(contractPath, edited);
    const review = await reviewContract({ contractPath, base: CONTRACT_PATH, testRoot });
    expect(review.verdict).toBe("reject");
    const reasons = review.reasons.flatMap((one) => [one, ...(one.follows ?? [])]);
    for (const [title, , , { id, line }] of EDITS) {
      const reason = reasons.find((one) => one.id === id);
      expect(edited.split("\n")[(reason?.line ?? 0) - 1], title).toBe(line);
    }
    const ids = review.reasons.map(({ id }) => id);
    expect(ids, "a clause without a test").toContain("trace:§1.1");
    expect(ids).not.toContain("trace:§1.2");
    expect(review.trace.find((clause) => clause.id === "§1.2")?.tests).toEqual(["test/contract/some.test.ts:2"]);
  });

  test.each<[string, (document: object) => unknown]>([
    ["sorted keys", sortKeys],
    ["reversed parameters", reverseParameters],
  ])("%s mean nothing", async (_title, reorder) => {
    const contractPath = join(folder, "reordered.yaml");
    await writeFile(contractPath, JSON.stringify(reorder(editContract().file.value as object)));
    const { verdict, reasons, changes, decisions } = await reviewContract({ contractPath, base: CONTRACT_PATH });
    expect(reasons).toEqual([]);
    expect(verdict).toBe("accept");
    expect(changes.filter(({ class: kind }) => kind !== "equivalent")).toEqual([]);
    expect(decisions.decisions.filter(({ status }) => status !== "unchanged")).toEqual([]);
  });

  test("where there are no tests, their absence is no reason", async () => {
    const withoutTests = traceClauses(await loadContract(), readClauseReferences(folder));
    expect(withoutTests.map(({ tests }) => tests)).toEqual(withoutTests.map(() => undefined));
    expect(withoutTests.flatMap((clause) => findGap(clause) ?? [])).toEqual([]);
  });

  test.each<[string, Edit]>([
    ["without a response member", drop(`${S}/Notification/properties/severity`)],
    ["with another operationId", change("LIST/operationId", "getNotifications")],
    ["with an operation that the server does not have", change("paths/~1v2~1things", { get: NEW_OPERATION })],
  ])("a contract %s is served, so that examples are replayed", async (_title, edit) => {
    const edited = editContract(edit);
    const file = { ...edited.file, digest: "edited" }; // the seed is known to fit the contract as it was built
    const examples = await reviewExamples({ ...edited, file });
    const unreplayed = examples.filter(({ outcome }) => outcome === "unreplayed");
    expect(unreplayed.map(({ title }) => title.replace(/^\w+/, ""))).toEqual(Array(2).fill(" › 429 › rateLimited"));
    expect(examples.filter(({ outcome }) => outcome === "matched").length).toBeGreaterThan(25);
  });

  test("an example of an operation that nobody has implemented is not replayed, and no reason", async () => {
    const { responses, ...others } = NEW_OPERATION;
    const examples = { one: { value: {} } };
    const content = { "application/json": { schema: { type: "object" }, examples } };
    const withId = { type: "object", required: ["id"], properties: { id: { type: "string", readOnly: true } } };
    const requestBody = { content: { "application/json": { schema: withId, examples } } };
    const operation = { ...others, requestBody, responses: { 200: { ...responses[200], content } } };
    const contractPath = join(folder, "mocked.yaml");
    await writeFile(contractPath, toEditedText(change("paths/~1v2~1things", { post: operation })));
    const review = await reviewContract({ contractPath, base: CONTRACT_PATH });
    expect(review.examples.find(({ title }) => title === "listThings › 200 › one")).toMatchObject({
      outcome: "unreplayed",
      note: "mocked: nobody has implemented the operation",
      errors: [],
    });
    const ids = review.reasons.flatMap(({ id, follows = [] }) => [id, ...follows.map((one) => one.id)]);
    expect(ids.filter((id) => id.startsWith("example:"))).toEqual([]);
    expect(formatHtml(review)).toContain("not replayed: mocked");
  });

  test("a path parameter of another name is one error of the examples that name the old one", async () => {
    const [was, is] = ["subscriberId", "id"].map((name) => `paths/~1v2~1subscribers~1{${name}}~1preferences`);
    const edit = all(moved(was as string, is as string), change("components/parameters/subscriberId/name", "id"));
    const examples = await reviewExamples(editContract(edit));
    const updates = examples.filter(({ title }) => title.startsWith("updatePreferences › 200 › "));
    const texts = updates.flatMap(({ errors }) => errors.map(({ text }) => text));
    expect(new Set(texts)).toEqual(new Set(["its x-request has no path parameter id"]));
  });

  test("a member that responses must have is one reason, with the examples that lack it beneath", async () => {
    const contractPath = join(folder, "required.yaml");
    const member = { type: "integer", "x-decision": "D-11", examples: [1] };
    await writeFile(contractPath, toEditedText(withMember(`${S}/Notification`, "priority", member)));
    const review = await reviewContract({ contractPath, base: CONTRACT_PATH });
    expect(review.reasons.map(({ id }) => id)).toEqual([
      "listNotifications:response:200/body.data[].priority:properties",
    ]);
    const follows = review.reasons[0]?.follows?.filter(({ id }) => id.startsWith("example:")) ?? [];
    const examples = follows.flatMap(({ id, more = [] }) => [id, ...more]);
    expect(examples.length, "those of one kind are one line").toBeGreaterThan(follows.length);
    expect(examples.length).toBeGreaterThanOrEqual(5);
    expect(formatMarkdown(review)).toMatch(
      /## What changed\n\n- listNotifications: <code>200 body\.data\S+\.priority<\/code> is new, and always present\.\n/,
    );
  });

  test("a contract of another API, and a file that is no contract, have a report as well", async () => {
    const other = join(folder, "other.yaml");
    await writeFile(other, OTHER_API);
    const review = await reviewContract({ contractPath: other, base: CONTRACT_PATH, testRoot });
    expect(review.reasons.flatMap(({ id, follows = [] }) => [id, ...follows.map((one) => one.id)])).toEqual(
      expect.arrayContaining(["listNotifications:request:GET//v1/notifications:existence"]),
    );
    expect(review.reasons.filter(({ id }) => id.startsWith("review:"))).toEqual([]);
    expect(formatHtml(review)).toContain("Reject");
    await writeFile(other, OTHER_API.replace("    Pet :", "    Cat :"));
    const broken = await reviewContract({ contractPath: other, base: CONTRACT_PATH, testRoot });
    expect(broken.contract.isReadable).toBe(false);
    expect(broken.reasons).toEqual([
      expect.objectContaining({ message: expect.stringMatching(/other\.yaml:\d+: \$ref .* leads nowhere/) }),
    ]);
    for (const report of [formatHtml(broken), formatMarkdown(broken)]) {
      expect(report).toContain("leads nowhere");
      expect(report).toContain("Nothing else was checked: the contract cannot be read.");
      expect(report, "nor does it look as if it was").not.toMatch(
        /None\.|No violations|No change|Rules that are off|#lint/,
      );
    }
  });

  test("decisions: the new and the changed ones come first", async () => {
    const contractPath = join(folder, "openapi.yaml");
    const answered = text.replace("answer: 24 hours,", "answer: 48 hours,");
    const edited = answered.replace("\nx-decisions:\n", `\nx-decisions:\n${D_99}\n`);
    await writeFile(contractPath, edited);
    const base = await loadContract();
    const { decisions } = reviewDecisions(await loadContract(contractPath), base);
    expect(decisions.slice(0, 3).map(({ id, status }) => [id, status])).toEqual([
      ["D-99", "new"],
      ["D-60", "changed"],
      [expect.any(String), "unchanged"],
    ]);
  });
});
