// Whole reports of typical reviews, as the terminal and as JSON: golden/<name>.txt and .json. In the full size, servers
// of both contracts confirm the requests. After a wanted change, write them anew and read the difference: UPDATE_GOLDEN=1 npx vitest run test/tools/review/golden.test.ts
import { readFileSync, writeFileSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadContract } from "../../../src/contract/contract.js";
import { formatTerminal } from "../../../src/tools/review/report/review-report.js";
import { type ReviewOptions, reviewContract } from "../../../src/tools/review/review.js";
import { ROOT } from "../../support/command.js";
import { isFull } from "../../support/sizes.js";
import { createTemporaryFolder } from "../../support/temporary-folder.js";
import { replayRequests } from "./proof.js";

const GOLDEN = join(ROOT, "test/tools/review/golden");
const BASE = join(GOLDEN, "openapi.yaml");
const base = readFileSync(BASE, "utf8");

type Replacement = readonly [found: string, replacement: string];

const MAJOR: Replacement = ["version: 2.0.0", "version: 3.0.0"];
const MINOR: Replacement = ["version: 2.0.0", "version: 2.1.0"];
const LIMIT: Replacement = ["maximum: 50, default", "maximum: 20, default"];
const AGREEING: Replacement[] = [
  ["maxItems: 50", "maxItems: 20"],
  ["minimum: 1, maximum: 50 }", "minimum: 1, maximum: 20 }"],
];
const SEARCH = "        - { name: search, in: query,";

/** By name: the edits of golden/openapi.yaml. */
const REVIEWS: Readonly<Record<string, readonly [edits: readonly Replacement[], options?: Partial<ReviewOptions>]>> = {
  "limit-lowered": [
    [LIMIT],
    { acceptances: [{ match: "query.limit:maximum", reason: "until the release", until: "2026-11-01" }] },
  ],
  "limit-lowered-in-a-major-version": [[MAJOR, LIMIT, ...AGREEING]],
  "parameter-added": [
    [[SEARCH, `        - { name: before, in: query, x-source: "§4.2", schema: { type: string } }\n${SEARCH}`]],
  ],
  "parameter-renamed": [[MAJOR, ["name: search", "name: text"]]],
  "member-added-for-tolerant-clients": [
    [MINOR, ["        hasMore: {", "        total: { type: integer }\n        hasMore: {"]],
    { policy: "tolerant" },
  ],
  "response-changed": [
    [
      MAJOR,
      ["severity: { enum: [high,", "severity: { enum: [urgent, high,"],
      ["hasMore, pageSize", "pageSize"],
      ['        "402": { description: Before the oldest notification of the plan., x-decision: D-50 }\n', ""],
    ],
  ],
  "request-changed": [
    [
      ["required: [channels]", "required: [channels, workflowId]"],
      ["workflowId: { type: string }", "workflowId: { type: string, pattern: ^wf }"],
      ["items: { type: string }", "maxItems: 5, items: { type: string }"],
      ["items: { type: string } }\n", "items: { type: string } }\n      explode: false\n"],
    ],
  ],
  "key-and-server-changed": [
    [
      MAJOR,
      ["api.example.com", "eu.example.com"],
      ["type: apiKey, in: header, name: Authorization", "type: http, scheme: bearer"],
    ],
  ],
  "not-decided": [
    [
      MINOR,
      ["components:\n", "webhooks: { sent: { post: { responses: { 200: { description: Ok. } } } } }\ncomponents:\n"],
    ],
  ],
  "conditions-and-headers": [
    [
      MAJOR,
      ["schema: { type: string }, x-decision: D-66", "schema: { type: string, minLength: 8 }, x-decision: D-66"],
      ["maxItems: 50\n", "maxItems: 50\n          contains: { type: object, required: [payload] }\n"],
      [
        "required: [channels]\n",
        "required: [channels]\n      if: { required: [workflowId] }\n      else: { properties: { channels: { minProperties: 1 } } }\n",
      ],
    ],
  ],
  "texts-and-decisions": [
    [
      ["version: 2.0.0", "version: 2.0.1"],
      ["summary: Lists", "summary: Returns"],
      ["description: Page size.", "description: The size of a page."],
      ["answer: The response is 402.", "answer: The response is 200, without these notifications."],
      [
        "x-decisions:\n",
        "x-decisions:\n  D-99: { question: May a page be empty?, clause: §4.2, answer: Yes., basis: judgement }\n",
      ],
    ],
  ],
  "written-differently": [
    [
      [
        'channels: { $ref: "#/components/schemas/ChannelPreferences" }',
        'channels: { allOf: [{ $ref: "#/components/schemas/ChannelPreferences" }] }',
      ],
    ],
  ],
  accepted: [
    [LIMIT, ["false\n      x-decision: D-23", "true\n      x-decision: D-23"]],
    {
      acceptances: [
        { match: "listNotifications:request:query.limit:maximum", reason: "agreed with all teams, #42", isWhole: true },
        { match: "200/body:additionalProperties", reason: "nobody validates responses", until: "2999-01-01" },
      ],
    },
  ],
  unreadable: [[["#/components/schemas/NotificationPage", "#/components/schemas/Page"]]],
};

describe("the report of a review", () => {
  test.each(Object.entries(REVIEWS))("%s", async (name, [edits, options = {}]) => {
    const folder = await createTemporaryFolder();
    const contractPath = join(folder, "openapi.yaml");
    const text = edits.reduce((before, [found, replacement]) => {
      expect(before.split(found).length, found).toBeGreaterThan(1);
      return before.replace(found, replacement);
    }, base);
    await writeFile(contractPath, text);
    const { date: _date, ...review } = await reviewContract({ ...options, contractPath, base: BASE });
    const { sha256: _sha256, ...contract } = { ...review.contract, path: "openapi.yaml" };
    const shown = JSON.parse(JSON.stringify(review).replaceAll(contractPath, "openapi.yaml"));
    const whole = { ...shown, base: shown.base && { ...shown.base, name: "main" }, contract };
    const report = formatTerminal({ ...whole, date: "" }, false);
    expect(report.split("\n").length).toBeLessThanOrEqual(120);
    await expectGolden(`${name}.txt`, report);
    await expectGolden(`${name}.json`, `${JSON.stringify(whole, null, 2)}\n`);
    if (isFull && review.contract.isReadable)
      await replayRequests(review.changes, await loadContract(BASE), await loadContract(contractPath));
  });
});

async function expectGolden(name: string, text: string): Promise<void> {
  const path = join(GOLDEN, name);
  if (process.env.UPDATE_GOLDEN !== undefined) {
    await mkdir(GOLDEN, { recursive: true });
    writeFileSync(path, text);
  }
  expect(text).toBe(await readFile(path, "utf8"));
}
