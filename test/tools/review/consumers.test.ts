// Which of the two small apps in test/tools/usage a change reaches.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadContract } from "../../../src/contract/contract.js";
import { findChanges } from "../../../src/tools/review/changes/find-changes.js";
import { findConsumers } from "../../../src/tools/review/consumers.js";
import { findWarnings, formatReach } from "../../../src/tools/review/report/consumer-blocks.js";
import { formatUsage, loadUsages, type Usage } from "../../../src/tools/usage/usage-file.js";
import { createTemporaryFolder } from "../../support/temporary-folder.js";
import { KIOSK, WEB } from "../usage/apps.js";
import {
  BODY,
  change,
  drop,
  type Edit,
  editContract,
  having,
  listed,
  P,
  S,
  text,
  withMember,
  withoutMember,
  withParameter,
} from "./contract-edit.js";

const base = await loadContract();
const contract = { version: base.document.info.version, sha256: base.file.digest };
const usages = Object.entries({ kiosk: KIOSK, web: WEB }).map(([name, references]): Usage => {
  return { schemaVersion: 1, name, contract, references, notRead: [] };
});

const NOBODY = "breaks no recorded consumer";
const OF_WEB = "; kiosk does not use it";
const REACHES_KIOSK = "reaches kiosk (screen.ts:12); web does not use it";
const BREAKS_BOTH = "breaks kiosk (screen.ts:5, 2 more) and web (feed.tsx:8, 1 more)";
const RATE_LIMITED = "components/responses/ListTooManyRequests";

const EDITS: [title: string, edit: Edit, reach: string][] = [
  ["payload is removed", withoutMember(`${S}/Notification`, "payload"), NOBODY],
  ["hasMore is removed", withoutMember(`${S}/NotificationPage`, "hasMore"), `breaks web (feed.tsx:9, 1 more)${OF_WEB}`],
  ["a member of a member", withoutMember(`${S}/NotificationTemplate`, "name"), `breaks web (feed.tsx:28)${OF_WEB}`],
  ["a new step type", listed(`${S}/StepType/enum`, having("fax")), `breaks web (feed.tsx:27)${OF_WEB}`],
  ["a lower limit", change(`${P}/limit/schema/maximum`, 20), "breaks kiosk (screen.ts:8, 1 more) and web (feed.tsx:8)"],
  ["a new required parameter", withParameter({ name: "tenant", required: true, schema: text }), BREAKS_BOTH],
  ["a status is removed", drop("LIST/responses/429"), REACHES_KIOSK],
  ["a header is removed", drop(`${RATE_LIMITED}/headers/RateLimit-Reset`), REACHES_KIOSK],
  ["an operation is removed that nobody uses", drop("UPDATE"), NOBODY],
  ["an operation is removed", drop("LIST"), BREAKS_BOTH],
  [
    "another default, for calls that omit the parameter",
    change(`${P}/limit/schema/default`, 25),
    "breaks kiosk (screen.ts:5) and web (feed.tsx:9)",
  ],
];

describe("a change reaches its consumers", () => {
  test.each(EDITS)("%s", (_title, edit, reach) => {
    const changes = findChanges(base, editContract(edit)).filter(({ side }) => side !== "text");
    const consumers = findConsumers(changes, base, usages);
    expect(changes.length).toBeGreaterThan(0);
    expect(changes.map((change) => formatReach(change, consumers))).toContain(reach);
  });

  test("a new required member of a body reaches whoever calls the operation", () => {
    const changes = findChanges(base, editContract(withMember(BODY, "reason")));
    const references = [{ kind: "operation" as const, name: "updatePreferences", places: ["settings.ts:3"] }];
    const mobile = { ...(usages[0] as Usage), name: "mobile", references };
    const consumers = findConsumers(changes, base, [mobile]);
    expect(changes.map((change) => formatReach(change, consumers))).toEqual(["breaks mobile (settings.ts:3)"]);
  });

  test("what is new reaches nobody, and says nothing", () => {
    const changes = findChanges(base, editContract(withParameter({ name: "priority", schema: {} })));
    const consumers = findConsumers(changes, base, usages);
    expect(changes.map((change) => formatReach(change, consumers))).toEqual([undefined]);
  });

  test("records of another version, and with files that were not read, are pointed out", () => {
    const [kiosk, web] = usages as [Usage, Usage];
    const notRead = [{ place: "a.vue", reason: "format" }];
    const old = { ...kiosk, contract: { version: "1.0.0", sha256: "0" }, notRead };
    const consumers = findConsumers([], base, [old, web]);
    expect(findWarnings(consumers, { name: "main", version: "1.2.0" })).toEqual([
      "kiosk was recorded against version 1.0.0 of the contract, not against main (1.2.0)",
      "kiosk: 1 file was not read: a.vue",
    ]);
  });

  test("a record without the types of this package is incomplete, and every sentence says so", () => {
    const [kiosk, web] = usages as [Usage, Usage];
    const incomplete = { ...web, notRead: [{ place: "feed.ts:1", reason: "not found", isOfPackage: true }] };
    const [changed] = findChanges(base, editContract(drop("LIST/responses/429")));
    const consumers = findConsumers(changed ? [changed] : [], base, [kiosk, incomplete]);
    expect(changed && formatReach(changed, consumers)).toBe(`${REACHES_KIOSK}; the record of web is incomplete`);
    expect(findWarnings(consumers, { name: "main", version: "1.2.0" })).toContain(
      "web is incomplete: this package was not found where it is imported (feed.ts:1)",
    );
  });

  test("a file that is no usage file is named", async () => {
    const folder = await createTemporaryFolder();
    await writeFile(join(folder, "web.json"), "{}");
    const usage = join(folder, "usage.json");
    await writeFile(usage, formatUsage(usages[1] as Usage));
    expect(() => loadUsages([join(folder, "none.json")])).toThrow(/none\.json/);
    expect(() => loadUsages([join(folder, "web.json")])).toThrow(/web\.json was not written by `usage`/);
    expect(() => loadUsages([usage, usage])).toThrow(/two files are of the consumer web/);
    await writeFile(join(folder, "web.json"), JSON.stringify({ ...usages[1], schemaVersion: 2 }));
    expect(() => loadUsages([join(folder, "web.json")])).toThrow(/has the format 2, but this version reads 1/);
  });
});
