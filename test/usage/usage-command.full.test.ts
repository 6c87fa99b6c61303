// The command on the two small apps beside this file.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadContract } from "../../src/contract/contract.js";
import { CLIENT_CALLS } from "../../src/usage/client-calls.js";
import { findReferences } from "../../src/usage/find-references.js";
import { openProject } from "../../src/usage/project.js";
import { createUsageCommand } from "../../src/usage/usage-command.js";
import type { Usage } from "../../src/usage/usage-file.js";
import { ROOT } from "../support/command.js";
import { buildIfStale } from "../support/fresh-build.js";
import { runInProcess } from "../support/in-process.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";
import { copyKiosk } from "./copy-kiosk.js";

const run = (...args: string[]) => runInProcess(createUsageCommand(), ...args);

function toLines({ references }: Usage): string[] {
  return references.map(({ kind, name, how, places }) => [kind, name, how, ...places].filter(Boolean).join(" "));
}

describe("usage", () => {
  test("an app with this package's client", async () => {
    await buildIfStale(); // it imports the package, as it is installed
    const out = join(await createTemporaryFolder(), "usage", "web.json");
    const project = join(ROOT, "test/usage/web/tsconfig.json");
    const { code, stderr } = await run("--project", project, "--out", out);
    expect([code, stderr]).toEqual([
      undefined,
      expect.stringMatching(/^web refers to 13 names .*\(listNotifications\)/),
    ]);
    const usage: Usage = JSON.parse(await readFile(out, "utf8"));
    const { document, file } = await loadContract();
    expect(usage).toMatchObject({
      ...{ schemaVersion: 1, name: "web", notRead: [] },
      contract: { version: document.info.version, sha256: file.digest },
    });
    expect(toLines(usage)).toEqual(
      expect.arrayContaining([
        "parameter listNotifications.query.limit feed.tsx:8",
        "response Notification.channels feed.tsx:27",
        "response NotificationPage.hasMore feed.tsx:9 feed.tsx:11",
        "values StepType switch without default item.tsx:23",
      ]),
    );
    expect(toLines(usage).join("\n")).not.toContain("payload");
  });

  test("an app with generated types; files that are not read are named", async () => {
    const folder = await copyKiosk();
    await mkdir(join(folder, "src"));
    await writeFile(join(folder, "src", "app.vue"), "<template />");
    await writeFile(join(folder, "orders.ts"), 'import { list } from "@example/orders";\nlist();\n');
    const args = ["--project", join(folder, "tsconfig.json"), "--types", join(folder, "api-types.d.ts")];
    const { code, stdout, stderr } = await run(...args, "--name", "kiosk");
    expect(code, stderr).toBeUndefined();
    const usage: Usage = JSON.parse(stdout);
    expect(toLines(usage)).toEqual([
      "header RateLimit-Reset screen.ts:12",
      "operation listNotifications screen.ts:5 screen.ts:8 screen.ts:9",
      "parameter listNotifications.query.limit screen.ts:8 screen.ts:9",
      "response Notification.transactionId screen.ts:14",
      "response NotificationPage.data screen.ts:14",
      "status 429 screen.ts:12",
    ]);
    expect(usage.notRead).toEqual([
      { place: "src/app.vue", reason: "its format is not read" },
      { place: "orders.ts:1", reason: 'imports "@example/orders", which is not found' },
    ]);
    expect(stderr).toContain("src/app.vue: its format is not read; references in it may be missing.\n");
  });

  test("projects that a tsconfig.json refers to", async () => {
    const folder = await copyKiosk();
    await mkdir(join(folder, "root"));
    const root = join(folder, "root", "tsconfig.json");
    await writeFile(root, JSON.stringify({ files: [], references: [{ path: ".." }, { path: "../tsconfig.json" }] }));
    const { stdout } = await run("--project", root, "--types", join(folder, "api-types.d.ts"));
    expect(toLines(JSON.parse(stdout))).toContain("status 429 ../screen.ts:12");
  });

  test("what the client is said to read is what its source reads", async () => {
    const folder = await createTemporaryFolder();
    const files = ["pages.ts", "react-query.ts"].map((name) => join(ROOT, "src/client", name));
    const config = join(folder, "tsconfig.json");
    await writeFile(config, JSON.stringify({ extends: join(ROOT, "tsconfig.json"), files, include: [] }));
    const project = openProject(config, []);
    const isClient = {
      isOwn: ({ fileName }: { fileName: string }) => files.includes(fileName),
      isOfClient: () => false,
    };
    const { references } = findReferences({ ...project, ...isClient }, await loadContract());
    const read = new Set(references.filter(({ kind }) => kind === "response").map(({ name }) => name));
    const said = Object.values(CLIENT_CALLS).flatMap((implied) =>
      implied.flatMap(([kind, name]) => (kind === "response" ? name : [])),
    );
    expect(read.size).toBeGreaterThan(5);
    read.delete("ChannelPreferences.email"); // stands for any channel there
    expect(said).toEqual(expect.arrayContaining([...read]));
  });
});
