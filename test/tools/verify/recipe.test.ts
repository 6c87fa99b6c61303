// The recipe of the guide: what a target needs before a run. A server with the data that it describes, as the shipped
// seed, passes with the configuration that it shows.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import seed from "../../../data/seeds/contract-tests.json" with { type: "json" };
import { createVerifyCommand } from "../../../src/cli/verify-command.js";
import { startServer } from "../../../src/start-server.js";
import { runInProcess } from "../../support/in-process.js";
import { isWeekly } from "../../support/sizes.js";
import { createTemporaryFolder } from "../../support/temporary-folder.js";

const PATH = "data/seeds/contract-tests.json";
const guide = await readFile("docs/contract-tests.md", "utf8");
const section = guide.slice(guide.indexOf("### In a file"), guide.indexOf("### When a run ends early"));
const [, config = "{}"] = /```json\n(.*?)```/s.exec(section) ?? [];

/** The rows that the recipe inserts into a table. */
function rowsOf(table: string): (string | null)[][] {
  const [, text = ""] = new RegExp(`insert into ${table} .*?values (.*?);\\n`, "s").exec(section) ?? [];
  return [...text.matchAll(/\((.*?)\)/g)].map(([, row = ""]) =>
    [...row.matchAll(/'(.*?)'|null/g)].map(([, value]) => value ?? null),
  );
}

test("the seed has the subscribers, workflows and notifications of the recipe", () => {
  expect(seed.subscribers.map(({ subscriberId, email = null }) => [subscriberId, email])).toEqual(
    rowsOf("subscribers"),
  );
  const workflows = seed.workflows.map(({ identifier, steps, defaults }) => {
    return [identifier, steps.map(({ type }) => type).join(","), defaults ? "critical" : "active"];
  });
  expect(workflows).toEqual(rowsOf("workflows"));
  const times = seed.notifications.map(({ createdAt }) => createdAt);
  expect(times.length).toBeGreaterThanOrEqual(60);
  expect(new Set(times).size).toBe(times.length - 1); // two at the same time
  expect(times.filter((time) => time > seed.asOf)).toHaveLength(1);
  const texts = seed.notifications.flatMap(({ transactionId, topics }) => [
    transactionId,
    ...topics.map((one) => one.topicKey),
  ]);
  expect(texts).toEqual(expect.arrayContaining(["Order-0=x", "project:x"]));
});

test("a server with the seed passes with the configuration of the guide", async () => {
  const { keys: _keys, exceptions: _exceptions, $schema: _schema, ...described } = JSON.parse(config);
  const server = await startServer({ seed: PATH });
  const path = join(await createTemporaryFolder(), "verify.config.json");
  await writeFile(path, JSON.stringify({ ...described, url: server.url }));
  const some = ["the workflows ›", "critical workflow", "lists ›", "characters", "query.after › accepts", "inverted"];
  const only = isWeekly ? [] : some.flatMap((name) => ["--only", name]);
  const { code, stdout } = await runInProcess(createVerifyCommand(), "--config", path, "--seed", "1", ...only);
  await server.close();
  expect(stdout).toMatch(/ 0 failed, \d+ not applicable/);
  expect(code, stdout).toBe(0);
  expect(Number(/(\d+) passed/.exec(stdout)?.[1])).toBeGreaterThan(isWeekly ? 800 : 10);
});
