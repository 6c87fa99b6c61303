// `npm run build && node test/bench/first-views.js`: what the first view of each page costs, in Chromium at 1280 px, by the page's
// own clock. Medians of new browser contexts. `processor` is the time of the page's main thread, which on a shared machine says
// more than the clock.
import { chromium } from "playwright-core";
import { startServer } from "../../dist/server/server.js";

const ROUNDS = 9;
/** Each page, and what its first view shows. */
const VIEWS = [
  ["/", "h1"],
  ["/docs", "[role=tablist]"],
  ["/console#preferences", "table.matrix"],
  ["/console#feed", "#feed tbody tr"],
];
const ARGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"];

const server = await startServer();
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ARGS });
try {
  for (const [path, shown] of VIEWS) {
    const rounds = [];
    for (let round = 0; round < ROUNDS; round += 1) rounds.push(await measure(server.url + path, shown));
    const medians = Object.keys(rounds[0]).map((name) => [name, median(rounds.map((figures) => figures[name]))]);
    console.log({ path, ...Object.fromEntries(medians) });
  }
} finally {
  await browser.close();
  await server.close();
}

async function measure(url, shown) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  await page.addInitScript(`(function look() {
    if (document.querySelector("${shown}")) window.completeMs = Math.round(performance.now());
    else setTimeout(look, 2);
  })()`);
  await page.goto(url);
  await page.locator(shown).first().waitFor();
  const isPainted = () => page.evaluate("performance.getEntriesByName('first-contentful-paint').length > 0");
  while (!(await isPainted())) await page.waitForTimeout(10);
  const { metrics } = await session.send("Performance.getMetrics");
  const [bytes, elements, firstPaintMs, completeMs] = await page.evaluate(`[
    performance.getEntriesByType("navigation")[0].decodedBodySize,
    document.querySelectorAll("*").length,
    Math.round(performance.getEntriesByName("first-contentful-paint")[0].startTime),
    window.completeMs,
  ]`);
  await page.close();
  const processorMs = Math.round(metrics.find(({ name }) => name === "TaskDuration").value * 1000);
  return { bytes, elements, firstPaintMs, completeMs, processorMs };
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}
