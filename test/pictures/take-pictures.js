// `node test/pictures/take-pictures.js`, after `npm run build`: takes the pictures of the documents from the
// built product, in a real browser.
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, request as send } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { createControl } from "../../dist/browser/client/control.js";
import { loadContract } from "../../dist/contract/contract.js";
import { CONTRACT_PATH } from "../../dist/contract/contract-file.js";
import { startServer } from "../../dist/start-server.js";
import { formatHtml } from "../../dist/tools/review/report/review-report.js";
import { reviewContract } from "../../dist/tools/review/review.js";
import { DEMO_DATA, TARGETS } from "../../dist/tools/verify/declared-target.js";
import { formatPage } from "../../dist/tools/verify/report/verify-page.js";
import { verify } from "../../dist/tools/verify/verify.js";
import { animate } from "./animate.js";

const IMAGES = fileURLToPath(new URL("../../docs/images/", import.meta.url));
const NOW = "2026-11-02T09:00:00Z";
const ARGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"];

await mkdir(IMAGES, { recursive: true });
const folder = await mkdtemp(join(tmpdir(), "pictures-"));
process.chdir(folder); // the reports name files as they are given
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ARGS,
});
const server = await startServer();
try {
  await takeConsole();
  await takeDocs();
  await takeReview();
  await takeVerify();
} finally {
  await browser.close();
  await server.close();
  await rm(folder, { recursive: true });
}

async function takeConsole() {
  const control = createControl({ baseUrl: server.url });
  const { apiKey } = await control.createEnvironment({ name: "preference-centre", now: NOW });
  const headers = { Authorization: `ApiKey ${apiKey}`, "Content-Type": "application/json" };
  const preferences = `${server.url}/v2/subscribers/eleni-papadaki/preferences`;
  await control.addNotifications("preference-centre", { subscriberId: "eleni-papadaki", count: 2 });
  const body = JSON.stringify({ channels: { sms: false } });
  await fetch(preferences, { method: "PATCH", headers, body });
  for (const query of ["", "?limit=5", "?channels=in_app&limit=5"]) {
    await fetch(`${server.url}/v1/notifications${query}`, { headers });
  }
  await control.setClock("preference-centre", { mode: "running" });
  await control.addFault("preference-centre", { isUpdate: true, status: 503 });
  await fetch(preferences, { method: "PATCH", headers, body });
  await fetch(`${server.url}/v1/notifications?limit=51&chanels=email`, { headers });
  const url = `${server.url}/console?environment=preference-centre&subscriber=eleni-papadaki#requests`;
  const steps = [
    (page) => page.getByRole("row", { name: "422" }).waitFor(),
    async (page) => {
      await page.getByRole("row", { name: "422" }).click();
      await page.getByRole("region", { name: "Request", exact: true }).waitFor();
    },
    async (page) => {
      await page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: "Faults" }).click();
      await page.getByText("every update gets 503").waitFor();
    },
    async (page) => {
      await page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: "Environment" }).click();
      await page.locator("#environment").getByRole("time").waitFor();
    },
  ];
  await takeAnimation("console", url, { width: 1280, height: 640 }, steps);
}

/** The page after each step, the second for longer. */
async function takeAnimation(name, url, size, steps) {
  const page = await browser.newPage({ colorScheme: "light", reducedMotion: "reduce", viewport: size });
  await page.goto(url);
  const frames = [];
  for (const step of steps) {
    await step(page);
    frames.push({ picture: await capture(page), ms: frames.length === 1 ? 4000 : 2500 });
  }
  await writeFile(join(IMAGES, `${name}.webp`), animate(frames, size));
  await page.close();
}

/** The docs page during a search. */
async function takeDocs() {
  await take("docs", `${server.url}/docs`, { height: 800 }, async (page) => {
    await page.keyboard.press("/");
    await page.keyboard.type("limit");
    await page.getByRole("listbox").getByRole("option").first().waitFor();
  });
}

/** The review of an edit that lowers the maximum of `limit`. */
async function takeReview() {
  const text = await readFile(CONTRACT_PATH, "utf8");
  const edited = text.replace("maximum: 50", "maximum: 20");
  await writeFile("openapi.yaml", text);
  await writeFile("proposal.yaml", edited);
  const review = await reviewContract({ contractPath: "proposal.yaml", base: "openapi.yaml" });
  await takeReport("review", formatHtml(review), 1000);
}

async function takeVerify() {
  const faulty = await startFaultyServer(server.url);
  try {
    const target = { ...DEMO_DATA, ...TARGETS.reference, url: new URL(faulty.url), apiKey: server.apiKey };
    const only = ["listNotifications › query.limit", "listNotifications › pages of 10", "updatePreferences"];
    const report = await verify({ contract: await loadContract(), target, only, seed: 7, runs: 20 });
    await takeReport("verify", formatPage(report), 900);
  } finally {
    await faulty.close();
  }
}

/**
 * Forwards to a correct server, with two bugs: it accepts a `limit` of 51, and repeats the second page as the third.
 */
async function startFaultyServer(upstream) {
  const server = createServer((request, response) => {
    const url = new URL(upstream);
    const path = request.url.replace(/([?&]limit)=51\b/, "$1=50").replace(/([?&]page)=2\b/, "$1=1");
    const forwarded = send(url, { path, method: request.method, headers: request.headers }, (upstreamResponse) => {
      response.writeHead(upstreamResponse.statusCode, upstreamResponse.rawHeaders);
      upstreamResponse.pipe(response);
    });
    request.pipe(forwarded);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => new Promise((done) => server.close(done)) };
}

async function takeReport(name, html, height) {
  const path = join(folder, `${name}.html`);
  await writeFile(path, html);
  await take(name, pathToFileURL(path).href, { height }, (page) => page.locator("h1").waitFor());
}

async function take(name, url, { height }, isReady) {
  const page = await browser.newPage({ colorScheme: "light", viewport: { width: 1280, height } });
  await page.goto(url);
  await isReady(page);
  await writeFile(join(IMAGES, `${name}.webp`), await capture(page));
  await page.close();
}

/** Playwright takes no WebP, which halves the package's pictures. */
async function capture(page) {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: 45 });
  return Buffer.from(data, "base64");
}
