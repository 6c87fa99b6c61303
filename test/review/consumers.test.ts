// Which of the two small apps in test/usage a change reaches.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadContract } from "../../src/contract/contract.js";
import type { OpenApiDocument } from "../../src/contract/openapi-document.js";
import { findChanges } from "../../src/review/changes/find-changes.js";
import { findConsumers, loadUsages, toReachText, toWarnings } from "../../src/review/consumers.js";
import { toUsageText, type Usage } from "../../src/usage/usage-file.js";
import { createEditedContract } from "../support/edited-contract.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";
import { KIOSK, WEB } from "../usage/apps.js";

const base = await loadContract();
const contract = { version: base.document.info.version, sha256: base.file.digest };
const usages = Object.entries({ kiosk: KIOSK, web: WEB }).map(([name, references]): Usage => {
  return { schemaVersion: 1, name, contract, references, notRead: [] };
});

type Schemas = Record<
  string,
  {
    properties: Record<string, { items: object; enum: string[]; maximum: number }>;
    required?: string[];
    enum: string[];
  }
>;

const schemasOf = ({ components }: OpenApiDocument) => components.schemas as unknown as Schemas;
const removeMember = (schema: string, member: string) => (document: OpenApiDocument) => {
  const { properties = {}, required = [] } = schemasOf(document)[schema] ?? {};
  delete properties[member];
  if (required.includes(member)) required.splice(required.indexOf(member), 1);
};
const listOf = (document: OpenApiDocument) =>
  document.paths["/v1/notifications"]?.get as unknown as { parameters: object[]; responses: object };

const EDITS: [title: string, edit: (document: OpenApiDocument) => void, reach: string][] = [
  ["payload is removed", removeMember("Notification", "payload"), "breaks no recorded consumer"],
  [
    "hasMore is removed",
    removeMember("NotificationPage", "hasMore"),
    "breaks web (feed.tsx:9, 1 more); kiosk does not use it",
  ],
  [
    "data is removed",
    removeMember("NotificationPage", "data"),
    "breaks kiosk (screen.ts:14) and web (feed.tsx:9, 1 more)",
  ],
  [
    "a member of a member is removed",
    removeMember("NotificationTemplate", "name"),
    "breaks web (feed.tsx:28); kiosk does not use it",
  ],
  [
    "a new step type",
    (document) => void schemasOf(document).StepType?.enum.push("fax"),
    "breaks web (item.tsx:23 (switch without default), 1 more); kiosk does not use it",
  ],
  [
    "a new channel, of preferences that nobody reads",
    (document) => void schemasOf(document).Channel?.enum.push("fax"),
    "breaks no recorded consumer",
  ],
  [
    "limit is lowered",
    (document) =>
      void Object.assign((document.components.parameters.limit as unknown as { schema: object }).schema, {
        maximum: 20,
      }),
    "breaks kiosk (screen.ts:8, 1 more) and web (feed.tsx:8)",
  ],
  [
    "search is removed",
    (document) =>
      void listOf(document).parameters.splice(
        listOf(document).parameters.findIndex((parameter) => JSON.stringify(parameter).includes("/search")),
        1,
      ),
    "breaks no recorded consumer",
  ],
  [
    "a new required parameter",
    (document) =>
      void listOf(document).parameters.push({
        name: "tenant",
        in: "query",
        required: true,
        schema: { type: "string" },
      }),
    "breaks kiosk (screen.ts:5, 2 more) and web (feed.tsx:8, 1 more)",
  ],
  [
    "an operation is removed that nobody uses",
    (document) => void delete document.paths["/v2/subscribers/{subscriberId}/preferences"],
    "breaks no recorded consumer",
  ],
  [
    "an operation is removed",
    (document) => void delete document.paths["/v1/notifications"],
    "breaks kiosk (screen.ts:5, 2 more) and web (feed.tsx:8, 1 more)",
  ],
];

describe("a change reaches its consumers", () => {
  test.each(EDITS)("%s", (_title, edit, reach) => {
    const changes = findChanges(base, createEditedContract(edit)).filter(({ side }) => side !== "text");
    const consumers = findConsumers(changes, { base, usages, isDeciding: true });
    expect(changes.length).toBeGreaterThan(0);
    expect(changes.map((change) => toReachText(change, consumers))).toContain(reach);
    const unused = reach.endsWith("no recorded consumer")
      ? changes.filter((change) => change.class === "breaking")
      : [];
    expect(consumers.tolerated).toEqual(unused.map(({ id }) => id));
  });

  test("a new required member of a body reaches whoever calls the operation", () => {
    const changes = findChanges(
      base,
      createEditedContract(({ components: { schemas } }) => {
        const body = schemas.PreferencesUpdate as { properties: object; required?: string[] };
        Object.assign(body.properties, { reason: { type: "string" } });
        body.required = [...(body.required ?? []), "reason"];
      }),
    );
    const references = [{ kind: "operation" as const, name: "updatePreferences", places: ["settings.ts:3"] }];
    const mobile = { ...(usages[0] as Usage), name: "mobile", references };
    const consumers = findConsumers(changes, { base, usages: [mobile], isDeciding: false });
    expect(changes.map((change) => toReachText(change, consumers))).toEqual(["breaks mobile (settings.ts:3)"]);
  });

  test("what is new reaches nobody, and says nothing", () => {
    const edited = createEditedContract(
      (document) => void listOf(document).parameters.push({ name: "priority", in: "query", schema: {} }),
    );
    const changes = findChanges(base, edited);
    const consumers = findConsumers(changes, { base, usages, isDeciding: false });
    expect(changes.map((change) => toReachText(change, consumers))).toEqual([undefined]);
  });

  test("records of another version, and with files that were not read, are pointed out", () => {
    const [kiosk, web] = usages as [Usage, Usage];
    const old = {
      ...kiosk,
      contract: { version: "1.0.0", sha256: "0" },
      notRead: [{ place: "a.vue", reason: "format" }],
    };
    const consumers = findConsumers([], { base, usages: [old, web], isDeciding: false });
    expect(toWarnings(consumers, { name: "main", version: "1.2.0" })).toEqual([
      "kiosk was recorded against version 1.0.0 of the contract, not against main (1.2.0)",
      "kiosk: 1 file was not read: a.vue",
    ]);
  });

  test("usage files are found by a pattern; what is none is named", async () => {
    const folder = await createTemporaryFolder();
    await writeFile(join(folder, "web.json"), "{}");
    for (const usage of usages) await writeFile(join(folder, `${usage.name}.usage.json`), toUsageText(usage));
    expect(loadUsages([join(folder, "*.usage.json")]).map(({ name }) => name)).toEqual(["kiosk", "web"]);
    expect(() => loadUsages([join(folder, "*.nothing")])).toThrow(/no file matches .*\*\.nothing/);
    expect(() => loadUsages([join(folder, "web.json")])).toThrow(/web\.json is not a file that `usage` has written/);
    expect(() => loadUsages([join(folder, "web.usage.json"), join(folder, "w*.usage.json")])).toThrow(
      /two files are of the consumer web/,
    );
  });
});
