// What ordinary traffic shows of an upstream's bugs: a front-end's session with the second independent implementation behind the
// proxy, correct and with each bug that such traffic can show. A sample of the bugs; EVERY_BUG=1 takes all of them.
import { afterAll, describe, expect, test } from "vitest";
import { readDocument } from "../support/documents.js";
import { SIZES } from "../support/sizes.js";
import { type Backend, startBackend } from "../verify/backend.js";
import { BUGS } from "../verify/backend-bugs.js";
import { MAIN_KEY } from "../verify/backend-data.js";
import { around, type Bug } from "../verify/plant.js";
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
  around("readBytes", (original) => async (request) => {
    const bytes = await original(request);
    const all = new Promise<void>((resolve) => arrived.push(resolve));
    if (arrived.length === countUnderway()) for (const proceed of arrived.splice(0)) proceed();
    await all;
    return bytes;
  })(backend);
}

/** Most need what the proxy cannot assume: nobody else, such as a test's reset, changes preferences or workflows. */
const MISSED = [
  "updates of a workflow are stored globally",
  "updates read, wait and write back",
  "updates of a workflow read, wait and write back",
  "global updates read, wait and write back",
  "subscribers are found by email",
  "subscribers are found by _id",
  "critical workflows are listed",
  "a workflow is found by its name",
  "a workflow is found in any case",
  "a global update ends all workflow values",
  "the id in a slug is named in place of the slug",
  // The following ones take several exchanges to see: `verify` finds them.
  "hasMore is always false",
  "pages overlap by a record",
  "a replay is executed again",
  "keyed retries in parallel are all executed",
  "recorded responses live a second",
  "the last three recorded responses are kept",
  "a key on another path is replayed",
  "two bodies with members in another order are one",
  "workflowId is not part of the fingerprint",
  "an empty channels matches nothing, or the wrong page",
  "an empty templates matches nothing, or the wrong page",
  "an empty emails matches nothing, or the wrong page",
  "an empty subscriberIds matches nothing, or the wrong page",
  "an empty search matches nothing, or the wrong page",
  "an empty transactionId matches nothing, or the wrong page",
  "an empty topicKey matches nothing, or the wrong page",
  "an empty after matches nothing, or the wrong page",
  "an empty before matches nothing, or the wrong page",
  "an empty item makes a list match nothing",
  "search is a regular expression",
  "search finds the beginning of an address only",
  "search tells capitals apart",
  "search does not look at subscriberIds",
  "hasMore after every full page",
  "a replay is not marked",
  "rejections are not recorded",
];
const SHOWN = BUGS.filter(([, , , hidden]) => hidden === undefined);
const CAUGHT = SHOWN.filter(([, title]) => !MISSED.includes(title));
const CHOSEN = CAUGHT.filter((_bug, index) => index % SIZES.everyProxiedBug === 0);
const LEAST_SHARE = 0.7;

const table: string[] = [];
afterAll(() => console.log(table.join("\n")));

describe(`ordinary traffic (${CHOSEN.length} of ${SHOWN.length} bugs)`, () => {
  test("shows nothing of a correct upstream", async () => {
    expect((await observe()).map(({ target, location, message }) => [target, location, message])).toEqual([]);
  });

  test("shows at least 70 in 100 of the bugs that it can show", () => {
    expect(SHOWN.filter(([, title]) => MISSED.includes(title))).toHaveLength(MISSED.length);
    expect(CAUGHT.length / SHOWN.length).toBeGreaterThan(LEAST_SHARE);
  });

  test("the guide has the figures of each group", () => {
    const table = [...readDocument("docs/contract-tests.md").matchAll(/^\| [^|]+ \|((?: \**\d+\** \|){4})$/gm)];
    const shown = table.map(([, cells = ""]) => cells.match(/\d+/g)?.map(Number));
    const groups = [...new Set(BUGS.map(([group]) => group)), ""]; // the last row has all
    const count = (bugs: readonly Bug[], group: string) => bugs.filter(([own]) => group === "" || own === group).length;
    expect(shown).toEqual(groups.map((group) => [BUGS, BUGS, SHOWN, CAUGHT].map((bugs) => count(bugs, group))));
  });

  test.each(CHOSEN)("shows %s: %s", async (group, title, plant) => {
    const entries = await observe(plant);
    const places = new Set(entries.map(({ location, decision, clause }) => `${location} ${decision ?? clause ?? ""}`));
    table.push(`${group.padEnd(12)} ${title} — ${[...places].slice(0, 2).join(", ")}`);
    expect(entries).not.toEqual([]);
  });

  test.each(SIZES.everyProxiedBug === 1 ? SHOWN.filter(([, title]) => MISSED.includes(title)) : [])(
    "does not show %s: %s",
    async (_group, _title, plant) => {
      expect(await observe(plant)).toEqual([]);
    },
  );
});
