// The published package, installed in an empty folder: the command, the library and the types work from there.
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ROOT, run, runToEnd, stop } from "../support/command.js";

let folder: string;
let installed: { code: unknown; output: string };
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "package-"));
  // No settings of this machine's user: what npm says here is what a stranger sees.
  await writeFile(join(folder, "npmrc"), "");
  const env = { NPM_CONFIG_USERCONFIG: join(folder, "npmrc") };
  const packed = await runToEnd("npm", ["pack", "--silent", "--pack-destination", folder], { env });
  const [archive] = packed.output.trim().split("\n").slice(-1);
  await mkdir(join(folder, "app"));
  await writeFile(join(folder, "app", "package.json"), '{"name":"app","private":true,"type":"module"}');
  const args = ["install", "--no-audit", "--no-fund", "--prefer-offline", join("..", archive ?? "")];
  installed = await runToEnd("npm", args, { cwd: join(folder, "app"), env });
}, 180_000);
afterAll(() => rm(folder, { recursive: true }));

const app = (...path: string[]) => join(folder, "app", ...path);

const EPHEMERAL = ["serve", "--port", "0", "--ephemeral"];
const programsOf = (readme: string) => [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, program]) => program);

describe("the package", () => {
  test("installs without a warning", () => {
    expect(installed.code).toBe(0);
    expect(installed.output).not.toMatch(/warn/i);
  });

  test("`notifications-contract serve` serves, keeps its state in the folder, and stops", async () => {
    const server = run(app("node_modules", ".bin", "notifications-contract"), ["serve", "--port", "0"], { cwd: app() });
    const [, url] = await server.printed(/URL +(http\S+)/);
    const answer = await fetch(`${url}/v1/notifications?limit=1`, { headers: { authorization: "ApiKey demo-key" } });
    expect(answer.status).toBe(200);
    for (const path of ["", "/style.css", "/console/main.js", "/client/control.js", "/openapi-fetch.js"]) {
      expect((await fetch(`${url}/console${path}`)).status, path).toBe(200);
    }
    expect(await stop(server)).toBe(0);
    expect(JSON.parse(await readFile(app("data", "environments", "default.json"), "utf8")).name).toBe("default");
  });

  test("`verify` and `review` run from it", async () => {
    const program = app("node_modules", ".bin", "notifications-contract");
    const server = run(program, EPHEMERAL, { cwd: app() });
    const [, url = ""] = await server.printed(/URL +(http\S+)/);
    const verified = await runToEnd(program, ["verify", "--url", url], { cwd: app() });
    expect(await stop(server)).toBe(0);
    expect(verified.output).toMatch(/^[7-9]\d\d passed, 0 failed, /m);
    expect(verified.code).toBe(0);
    const reviewed = await runToEnd(program, ["review"], { cwd: app() });
    expect(reviewed.output).toMatch(/: YES, .*the tests are not here to look at/s);
    expect(reviewed.code).toBe(0);
  });

  test("the README's program for test runners runs", async () => {
    const readme = await readFile(join(ROOT, "README.md"), "utf8");
    const [program = ""] = programsOf(readme);
    expect(program).toContain("startServer");
    await writeFile(app("program.mjs"), program);
    expect(await runToEnd(process.execPath, ["program.mjs"], { cwd: app() })).toEqual({ code: 0, output: "200 1\n" });
  });

  test("the README's program with the client runs", async () => {
    const [, program = ""] = programsOf(await readFile(join(ROOT, "README.md"), "utf8"));
    const server = run(process.execPath, [app("node_modules", ".bin", "notifications-contract"), ...EPHEMERAL]);
    const [, url = ""] = await server.printed(/URL +(http\S+)/);
    await writeFile(app("client.mjs"), program.replace("http://127.0.0.1:4010", url));
    const { code, output } = await runToEnd(process.execPath, ["client.mjs"], { cwd: app() });
    expect(await stop(server)).toBe(0);
    expect(code).toBe(0);
    expect(output).toMatch(/^false\n(\d{4}-\d\d-\S+Z .+\n){26}$/);
  });

  test("the types are there, and strict", async () => {
    const program = `
      import { startServer, type RunningServer } from "notifications-contract";
      import { type Control, createControl } from "notifications-contract/control";
      import type { components } from "notifications-contract/types";
      const server: RunningServer = await startServer({ plan: "free" });
      const update: components["schemas"]["PreferencesUpdate"] = { channels: { email: true } };
      // @ts-expect-error a channel that the contract does not have
      const wrong: components["schemas"]["PreferencesUpdate"] = { channels: { fax: true } };
      const control: Control = createControl({ baseUrl: server.url });
      (await control.createEnvironment()).apiKey.trim();
      void [update, wrong];
    `;
    await writeFile(app("program.ts"), program);
    const compilerOptions = { noEmit: true, strict: true, module: "nodenext", target: "es2022", skipLibCheck: true };
    await writeFile(app("tsconfig.json"), JSON.stringify({ compilerOptions: { ...compilerOptions, types: [] } }));
    const tsc = join(ROOT, "node_modules", "typescript", "bin", "tsc");
    const { code, output } = await runToEnd(process.execPath, [tsc, "--project", app()], { cwd: app() });
    expect([code, output]).toEqual([0, ""]);
  });
});
