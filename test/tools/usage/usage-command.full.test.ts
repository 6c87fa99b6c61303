// The command on the two small apps beside this file.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createUsageCommand } from "../../../src/cli/usage-command.js";
import { loadContract } from "../../../src/contract/contract.js";
import { findUsage } from "../../../src/tools/usage/find-usage.js";
import { openProject } from "../../../src/tools/usage/project.js";
import { CLIENT_CALLS } from "../../../src/tools/usage/recorder.js";
import type { Usage } from "../../../src/tools/usage/usage-file.js";
import { ROOT } from "../../support/command.js";
import { runInProcess } from "../../support/in-process.js";
import { createTemporaryFolder } from "../../support/temporary-folder.js";
import { copyKiosk, WEB } from "./apps.js";

const run = (...args: string[]) => runInProcess(createUsageCommand(), ...args);

describe("usage", () => {
  test("an app with this package's client", async () => {
    const out = join(await createTemporaryFolder(), "usage", "web.json");
    const project = join(ROOT, "test/tools/usage/web/tsconfig.json");
    const { code, stderr } = await run("--project", project, "--out", out);
    expect([code, stderr]).toEqual([
      undefined,
      expect.stringMatching(/^web refers to 12 names .*\(listNotifications\)/),
    ]);
    const usage: Usage = JSON.parse(await readFile(out, "utf8"));
    const { document, file } = await loadContract();
    expect(usage).toMatchObject({
      ...{ schemaVersion: 1, name: "web", references: WEB, notRead: [] },
      contract: { version: document.info.version, sha256: file.digest },
    });
  });

  test("projects that a tsconfig.json refers to", async () => {
    const folder = await copyKiosk();
    await mkdir(join(folder, "root"));
    const root = join(folder, "root", "tsconfig.json");
    await writeFile(root, JSON.stringify({ files: [], references: [{ path: ".." }, { path: "../tsconfig.json" }] }));
    const { stdout } = await run("--project", root, "--types", join(folder, "api-types.d.ts"));
    const { references }: Usage = JSON.parse(stdout);
    expect(references).toContainEqual({ kind: "status", name: "429", places: ["../screen.ts:12"] });
  });

  test("what the client is said to read is what its source reads", async () => {
    const folder = await createTemporaryFolder();
    const files = ["pages.ts", "query.ts"].map((name) => join(ROOT, "src/browser/client", name));
    const config = join(folder, "tsconfig.json");
    await writeFile(config, JSON.stringify({ extends: join(ROOT, "tsconfig.json"), files, include: [] }));
    const project = openProject(config, []);
    const isClient = {
      isOwn: ({ fileName }: { fileName: string }) => files.includes(fileName),
      isOfClient: () => false,
    };
    const { references } = findUsage({ ...project, ...isClient }, await loadContract());
    const read = new Set(references.filter(({ kind }) => kind === "response").map(({ name }) => name));
    const said = Object.values(CLIENT_CALLS).flatMap((implied) =>
      implied.flatMap(([kind, name]) => (kind === "response" ? name : [])),
    );
    expect(read.size).toBeGreaterThan(5);
    read.delete("ChannelPreferences.email"); // stands for any channel there
    expect(said).toEqual(expect.arrayContaining([...read]));
  });
});
