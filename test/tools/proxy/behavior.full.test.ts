// What ordinary traffic shows of an upstream's bugs: a front-end's session with the second independent implementation
// behind the proxy, correct and with each planted bug that the proxy must report. A sample of the bugs;
// EVERY_BUG=1 takes all.
import { afterAll, describe, expect, test } from "vitest";
import { readDocument } from "../../support/documents.js";
import { SIZES } from "../../support/sizes.js";
import { type Backend, startBackend } from "../verify/backend.js";
import { MAIN_KEY } from "../verify/backend-data.js";
import { around } from "../verify/plant.js";
import { BUGS } from "../verify/planted-bugs.js";
import { useFrontEnd } from "./front-end.js";
import { watch } from "./proxied.js";

/** What the proxy reports of the upstream in a session. */
async function observe(plant?: (backend: Backend) => void) {
  let passedMs = 0;
  let underway = 0;
  const backend = await startBackend((one) => {
    one.now = () => new Date(Date.now() + passedMs);
    plant?.(one);
    meet(one, () => underway);
  });
  const proxy = await watch({ upstream: backend.url.href.replace(/\/$/, "") });
  await useFrontEnd({
    async send(path, { headers = {}, ...init } = {}) {
      const all = { authorization: `ApiKey ${MAIN_KEY}`, ...(headers as Record<string, string>) };
      underway += 1;
      const text = await (await fetch(proxy.url + path, { ...init, headers: all })).text();
      underway -= 1;
      return text.startsWith("{") ? JSON.parse(text) : {};
    },
    wait(milliseconds) {
      passedMs += milliseconds;
    },
  });
  await proxy.close();
  await backend.close();
  expect(proxy.internalErrors).toEqual([]);
  return proxy.entries.filter(({ direction }) => direction === "response");
}

/** Requests that are sent at the same time are processed at the same time: each waits until all have arrived. */
function meet(backend: Backend, countUnderway: () => number): void {
  const arrived: (() => void)[] = [];
  around("readBytes", async ({ original }, request) => {
    const bytes = await original(request);
    const all = new Promise<void>((resolve) => arrived.push(resolve));
    if (arrived.length === countUnderway()) for (const proceed of arrived.splice(0)) proceed();
    await all;
    return bytes;
  })(backend);
}

const SHOWN = BUGS.filter(({ isInTraffic }) => isInTraffic);
const CHOSEN = SHOWN.filter((_bug, index) => index % SIZES.everyProxiedBug === 0);

const table: string[] = [];
afterAll(() => console.log(table.join("\n")));

describe(`ordinary traffic (${CHOSEN.length} of ${SHOWN.length} bugs)`, () => {
  test("shows nothing of a correct upstream", async () => {
    expect((await observe()).map(({ target, location, message }) => [target, location, message])).toEqual([]);
  });

  test("the guide has the figures", () => {
    const figures = `of the ${BUGS.length} bugs that we plant in a back end, it reports ${SHOWN.length} in ordinary traffic.`;
    expect(readDocument("docs/contract-tests.md").replaceAll(/\s+/g, " ")).toContain(figures);
  });

  test.each(CHOSEN)("shows $kind: $title", async ({ kind, title, plant }) => {
    const entries = await observe(plant);
    const places = new Set(entries.map(({ location, decision, clause }) => `${location} ${decision ?? clause ?? ""}`));
    table.push(`${kind.padEnd(15)} ${title} — ${[...places].slice(0, 2).join(", ")}`);
    expect(entries).not.toEqual([]);
  });
});
