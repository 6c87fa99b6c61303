// What the README and the start message say, done.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CLI, ROOT, type Running, runToEnd, serve, stop } from "../support/command.js";

const README = readFileSync(join(ROOT, "README.md"), "utf8");
const BLOCKS = [...README.matchAll(/```(\w+)\n([\s\S]*?)```/g)].map(([, language = "", text = ""]) => ({
  language,
  text,
}));
const CURLS = BLOCKS.filter(({ language, text }) => language === "sh" && text.startsWith("curl "));

let server: Running & { url: string };
beforeAll(async () => {
  server = await serve(["--port", "0", "--ephemeral"]);
});
afterAll(() => stop(server));

const here = (text: string) => text.replaceAll("http://127.0.0.1:4010", server.url);

describe("the README", () => {
  test("has exactly two set-up commands, and CI runs the second", () => {
    const setUps = BLOCKS.filter(({ text }) => text.startsWith("npm ci &&")).map(({ text }) => text.trim());
    expect(setUps).toEqual(["npm ci && npm start", "npm ci && npm test"]);
    expect(readFileSync(join(ROOT, ".ci/run"), "utf8")).toContain("\nnpm ci && npm test\n");
  });

  test.each(CURLS.map(({ text }) => [text.trim()]))("%s", async (line) => {
    const { code, output } = await runToEnd("bash", ["-c", here(line).replace("curl ", "curl -sS ")]);
    expect(code).toBe(0);
    const shown = README.slice(README.indexOf(line))
      .split("```sh")[0]
      ?.match(/```json\n([\s\S]*?)```/)?.[1];
    const answer = JSON.parse(output);
    if (shown === undefined) expect(answer.data.length).toBeGreaterThan(0);
    else expect(isShown(JSON.parse(shown), answer), `${output} holds ${shown}`).toBe(true);
  });

  test("its tour of the control plane is taken without a refusal", async () => {
    const tour = BLOCKS.find(({ text }) => text.startsWith("control="))?.text ?? "";
    const { code, output } = await runToEnd("bash", [
      "-ec",
      here(tour).replaceAll("curl -s", "curl -sS --fail-with-body"),
    ]);
    expect(code, output).toBe(0);
    expect(output).toContain('"name":"mine","apiKey":"my-key"');
    expect(output).toContain('"requests":[]');
  });

  test("lists the options of `serve` as its --help does", async () => {
    const { output } = await runToEnd(process.execPath, [CLI, "serve", "--help"]);
    const options = [...output.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, name]) => name);
    const table = [...README.matchAll(/^\| `(--[a-z-]+)` \| `(NC_[A-Z_]+)` \|/gm)];
    expect(table.map(([, name]) => name)).toEqual(options);
    for (const [, option = "", variable = ""] of table) {
      expect(variable).toBe(`NC_${option.slice(2).toUpperCase().replaceAll("-", "_")}`);
      expect(output).toContain(variable);
    }
  });

  test("installs the package before a recipe runs it, from the file that `npm pack` writes", () => {
    const { name, version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
    const install = `npm i -D ./${name}-${version}.tgz`;
    expect(BLOCKS.map(({ text }) => text)).toContain(`${install}\nnpx ${name} serve\n`);
    const users = [...README.matchAll(new RegExp(`npx ${name}`, "g"))];
    expect(users.length).toBeGreaterThan(1);
    for (const { index } of users) expect(index).toBeGreaterThan(README.indexOf(install));
    // A CI job starts with nothing installed, wherever its block stands.
    const jobs = BLOCKS.filter(
      ({ language, text }) => ["yaml", "sh"].includes(language) && text.includes(`npx ${name}`),
    );
    expect(jobs.length).toBeGreaterThan(1);
    for (const { text } of jobs) expect(text).toMatch(new RegExp(`npm (ci|i -D)\\b[^]*npx ${name}`));
  });

  test("names every run-time dependency", () => {
    const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
    for (const name of Object.keys({ ...dependencies, ...peerDependencies })) expect(README).toContain(`\`${name}\``);
  });

  test("links to files that are there", () => {
    for (const [, target = ""] of README.matchAll(/\]\(([^)#]+)\)/g)) {
      if (!target.startsWith("http")) readFileSync(join(ROOT, target));
    }
  });
});

describe("the start message", () => {
  test("has a curl line for each operation that answers when pasted", async () => {
    const lines = server.output().match(/curl .*/g) ?? [];
    expect(lines).toHaveLength(2);
    for (const line of lines) {
      const { output } = await runToEnd("bash", ["-c", line.replace("curl ", "curl -sS -w '%{http_code}' ")]);
      expect(output.slice(-3)).toBe("200");
    }
  });
});

describe("the command line", () => {
  test.each([
    ["an unknown option", ["serve", "--prot", "1"], 2, /unknown option '--prot'/],
    ["an unknown command", ["sevre"], 2, /sevre/],
    ["a port that is none", ["serve", "--port", "99999"], 2, /from 0 to 65535/],
    ["an instant that is none", ["serve", "--now", "tomorrow"], 2, /RFC 3339/],
    ["a plan that is none", ["serve", "--plan", "gold"], 2, /free, pro, business, enterprise/],
    [
      "a seed that is none",
      ["serve", "--ephemeral", "--seed", "none"],
      2,
      /there is no such seed. Give one of demo, empty/,
    ],
    ["the built-in key beyond this machine", ["serve", "--host", "0.0.0.0"], 2, /NC_API_KEY/],
    ["a key with a blank", ["serve", "--ephemeral", "--api-key", "a b"], 2, /printable ASCII/],
    ["a day that is none", ["serve", "--now", "2026-02-31T00:00:00Z"], 2, /RFC 3339/],
    [
      "an address of another machine",
      ["serve", "--ephemeral", "--api-key", "own", "--host", "203.0.113.9"],
      2,
      /Cannot listen on 203/,
    ],
    ["a data folder that is a file", ["serve", "--data", "/dev/null"], 2, /\/dev\/null cannot be used/],
    ["help", ["--help"], 0, /reset/],
    ["the version", ["--version"], 0, /^\d+\.\d+\.\d+\n$/],
  ])("%s", async (_title, args, code, message) => {
    const ended = await runToEnd(process.execPath, [CLI, ...args]);
    expect(ended.output).toMatch(message);
    expect(ended.output).not.toContain("    at ");
    expect(ended.code).toBe(code);
  });

  test("a switch's variable can say no, and nothing but yes or no", async () => {
    const args = [CLI, "serve", "--data", "/dev/null"];
    const off = await runToEnd(process.execPath, args, { env: { NC_EPHEMERAL: "false" } });
    expect([off.code, off.output]).toEqual([2, expect.stringContaining("cannot be used")]);
    const other = await runToEnd(process.execPath, args, { env: { NC_EPHEMERAL: "perhaps" } });
    expect([other.code, other.output]).toEqual([2, expect.stringContaining("NC_EPHEMERAL must be one of")]);
  });
});

/** Whether everything shown is in the answer; lists may be shown in part. */
function isShown(shown: unknown, answer: unknown): boolean {
  if (typeof shown !== "object" || shown === null) return shown === answer;
  if (typeof answer !== "object" || answer === null) return false;
  if (Array.isArray(shown)) {
    return Array.isArray(answer) && shown.every((item) => answer.some((other) => isShown(item, other)));
  }
  return Object.entries(shown).every(([name, value]) => isShown(value, (answer as Record<string, unknown>)[name]));
}
