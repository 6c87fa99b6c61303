// Versions of the official client that are as old as the document, and newer ones. Each is a dev dependency of its own
// name.
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import semver from "semver";
import { describe, expect, onTestFinished, test } from "vitest";
import { type MockOptions, startMock } from "../../src/mock/mock-server.js";
import { startServer } from "../../src/start-server.js";
import { ROOT } from "../support/command.js";
import { multiplyDemoSeed } from "../support/large-seed.js";
import { isWeekly } from "../support/sizes.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";
import { describeClient, loadClient } from "./official-client.js";

const { devDependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
  devDependencies: Record<string, string>;
};
const clients = Object.entries(devDependencies)
  .filter(([name]) => name.startsWith("@novu/api"))
  .map(([name, version]) => ({ name, version: version.replace(/.*@/, "") }));

test("the versions are those of the README", () => {
  expect(clients.map(({ version }) => version)).toEqual(
    expect.arrayContaining(["0.3.0", "1.0.0", "1.6.0", "1.7.1", "3.11.0"]),
  );
  expect(clients).toHaveLength(6);
});

describe.each(clients)("the official client $version", ({ name, version }) => {
  const isOld = semver.lt(version, "1.7.1");
  const without = [...(isOld ? ["422 no channels"] : []), ...(version === "0.3.0" ? ["topicKey"] : [])];
  describeClient(name, { without });

  const rows: [title: string, options: MockOptions][] = [
    ["the examples", {}],
    ["generated data", { isDynamic: true, randomSeed: 1 }],
    ["other generated data", { isDynamic: true, randomSeed: 2 }],
  ];
  test.each(isWeekly ? rows : rows.slice(0, 2))("parses what the mock responds with: %s", async (_title, options) => {
    const mock = await startMock(options);
    onTestFinished(mock.close);
    const novu = loadClient(name).open(mock);
    const { result } = await novu.notifications.list({ limit: 50 });
    expect(result.data.length).toBeGreaterThan(options.isDynamic ? 49 : 0);
    const update = await novu.subscribers.preferences.update({ channels: { inApp: false } }, "ines-moreau", "key-1");
    expect(update.result.workflows.length).toBeGreaterThan(0);
    expect(update.headers["idempotency-key"]).toEqual(["key-1"]);
  });

  test(`${isOld ? "cannot parse" : "parses"} a step of type throttle (D-75)`, async () => {
    const seed = join(await createTemporaryFolder(), "throttle.json");
    await writeFile(seed, [...multiplyDemoSeed({ notifications: 150, throttle: true })].join(""));
    const server = await startServer({ seed });
    onTestFinished(server.close);
    const list = loadClient(name).open(server).notifications.list({ transactionId: "incident-117" });
    if (isOld) await expect(list).rejects.toThrow("Response validation failed");
    else expect((await list).result.data[0]?.jobs?.[0]?.type).toBe("throttle");
  });
});
