// `node test/frameworks/run.js [name…]`, after `npm run build`: builds a small front-end with each framework, from the
// packed package, requests its page while a reference server runs, and clicks its button in Chromium. Not part of the test suite: each framework is installed anew, in a
// temporary folder. The folders beside this file hold the front-ends; frameworks.json says which packages they need and
// how they are built and started.
import { spawn, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const ROOT = join(HERE, "../..");
const WAIT_MS = 120_000;
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium-headless-shell";

const frameworks = JSON.parse(readFileSync(join(HERE, "frameworks.json"), "utf8"));
const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !Object.hasOwn(frameworks, name));
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(", ")}; expected one of ${Object.keys(frameworks).join(", ")}.`);
  process.exit(2);
}

const work = mkdtempSync(join(tmpdir(), "frameworks-"));
process.on("exit", () => rmSync(work, { recursive: true, force: true }));
const [{ filename }] = JSON.parse(runOrFail(["npm", "pack", "--json", "--pack-destination", work], ROOT).stdout);

let failed = 0;
for (const [name, framework] of Object.entries(frameworks)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  const started = performance.now();
  try {
    const version = await check(name, framework);
    console.log(`passed  ${version}  ${Math.round((performance.now() - started) / 1000)} s`);
  } catch (error) {
    failed += 1;
    console.log(`failed  ${name}\n${error.message}`);
  }
}
process.exitCode = failed === 0 ? 0 : 1;

/** Returns the framework's package with its version. */
async function check(name, { manifest = {}, packages, prepare, build, start, says, clicks, buildSays, neverSays }) {
  const folder = join(work, name);
  cpSync(join(HERE, name), folder, { recursive: true });
  const own = { name: `try-${name}`, private: true, type: "module", ...manifest };
  writeFileSync(join(folder, "package.json"), JSON.stringify(own));
  runOrFail(
    ["npm", "install", "--no-audit", "--no-fund", "--legacy-peer-deps", join(work, filename), ...packages],
    folder,
  );
  const server = await startReference(folder);
  const env = {
    NC_URL: server.url,
    NC_API_KEY: "demo-key",
    CI: "1",
    NEXT_TELEMETRY_DISABLED: "1",
    EXPO_NO_TELEMETRY: "1",
    CHROMIUM,
  };
  try {
    if (prepare) runOrFail(prepare, folder);
    const built = runOrFail(build, folder, env);
    const output = built.stdout + built.stderr;
    if (neverSays && new RegExp(neverSays).test(output)) throw new Error(`The build says ${neverSays}:\n${output}`);
    if (buildSays && !new RegExp(buildSays).test(output))
      throw new Error(`The build does not say ${buildSays}:\n${output}`);
    if (start) await tryPages(start, { folder, env, says, clicks });
  } finally {
    server.stop();
  }
  const [framework] = packages[0].split(/(?<=.)@/);
  const { version } = JSON.parse(readFileSync(join(folder, "node_modules", framework, "package.json"), "utf8"));
  return `${framework}@${version}`;
}

async function startReference(folder) {
  const options = ["notifications-contract", "serve", "--port", "0", "--ephemeral", "--quiet", "--json", "-"];
  const child = spawn("npx", options, { cwd: folder, stdio: ["ignore", "pipe", "inherit"], detached: true });
  let text = "";
  for await (const chunk of child.stdout) {
    text += chunk;
    if (text.includes("\n")) break;
  }
  return { url: JSON.parse(text).url, stop: () => process.kill(-child.pid) };
}

async function tryPages(start, { folder, env, says = {}, clicks }) {
  const port = await findFreePort();
  const [file, ...args] = start.map((part) => part.replace("{port}", port));
  const options = { cwd: folder, env: { ...process.env, ...env, PORT: port, HOST: "127.0.0.1" }, detached: true };
  const child = spawn(file, args, options);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  try {
    const url = `http://127.0.0.1:${port}`;
    await poll(url);
    for (const [path, text] of Object.entries(says)) {
      const page = await poll(url + path);
      if (!new RegExp(text).test(page)) throw new Error(`${path} does not say ${text}:\n${page.slice(0, 4000)}`);
    }
    if (clicks) await clickButton(url, clicks);
  } catch (error) {
    throw new Error(`${error.message}\n${output}`);
  } finally {
    process.kill(-child.pid);
  }
}

/** Clicks a button, and expects its next name, also after a reload: the update was stored. */
async function clickButton(url, [name, nextName]) {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
  try {
    const page = await browser.newPage();
    await page.goto(url, { waitUntil: "networkidle" }); // a framework's page is not interactive before
    await page.getByRole("button", { name, exact: true }).click();
    await page.getByRole("button", { name: nextName, exact: true }).waitFor();
    await page.reload();
    await page.getByRole("button", { name: nextName, exact: true }).waitFor();
  } finally {
    await browser.close();
  }
}

async function poll(url) {
  const end = performance.now() + WAIT_MS;
  for (;;) {
    const response = await fetch(url).catch(() => undefined); // not listening yet
    if (response) return response.text();
    if (performance.now() > end) throw new Error(`There is no response from ${url}.`);
    await pause(200);
  }
}

function findFreePort() {
  const server = createServer();
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(String(port)));
    });
  });
}

function runOrFail([file, ...args], cwd, env = {}) {
  const options = { cwd, env: { ...process.env, ...env }, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 };
  const result = spawnSync(file, args, options);
  if (result.status === 0) return result;
  throw new Error(`${file} ${args.join(" ")} exits with ${result.status}:\n${result.stdout}\n${result.stderr}`);
}
