// The lines of the guide that verify a back end from the image, with a stand-in for docker: it runs the built command
// in the mounted folder, with no other variables than those that the line passes on.
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { CLI, runToEnd } from "../support/command.js";
import { blocksOf } from "../support/documents.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";
import { startBackend } from "../tools/verify/backend.js";
import { MAIN_KEY } from "../tools/verify/backend-data.js";
import { inPages } from "../tools/verify/plant.js";

const DOCKER = `#!${process.execPath}
const args = process.argv.slice(2);
const valuesOf = (option) => args.flatMap((arg, at) => (arg === option ? [args[at + 1]] : []));
const [[source, mounted], [workdir]] = [valuesOf("--volume")[0].split(":"), valuesOf("--workdir")];
if (args[0] !== "run" || mounted !== workdir) throw new Error("The command does not run in the mounted folder.");
const env = Object.fromEntries(valuesOf("--env").map((name) => [name, process.env[name]]));
const command = [${JSON.stringify(CLI)}, ...args.slice(args.indexOf("notifications-contract") + 1)];
const { spawnSync } = require("node:child_process");
process.exit(spawnSync(process.execPath, command, { cwd: source, env, stdio: "inherit" }).status);
`;

let isWrong = false;
const backend = await startBackend(inPages(({ hasMore }) => ({ hasMore: isWrong || hasMore })));
afterAll(backend.close);

test("the two lines write the configuration, then the report, and exit with the result", async () => {
  const [bin, folder] = [await createTemporaryFolder(), await createTemporaryFolder()];
  await writeFile(join(bin, "docker"), DOCKER, { mode: 0o755 });
  const block = blocksOf("container").find(({ text }) => text.includes(" verify "))?.text ?? "";
  const [init = "", verify = ""] = block
    .replaceAll(/ \\\n */g, " ")
    .trim()
    .split("\n");
  const env = { PATH: `${bin}:${process.env.PATH}`, NC_API_KEY: MAIN_KEY };
  const runLine = (line: string) => runToEnd("sh", ["-c", line], { cwd: folder, env });

  const written = await runLine(init.replace("http://127.0.0.1:8080", backend.url.origin));
  expect(written).toEqual({ code: 0, output: expect.stringContaining("verify.config.json") });
  const results = [];
  for (isWrong of [false, true]) {
    const { code, output } = await runLine(`${verify} --only D-24`);
    const report = await readFile(join(folder, "verify.xml"), "utf8");
    results.push([code, /0 failed/.test(output), /<failure /.test(report)]);
  }
  expect(results).toEqual([
    [0, true, false],
    [1, false, true],
  ]);
  expect((await readdir(folder)).toSorted()).toEqual(["verify.config.json", "verify.xml"]);
});
