// Signals to the command: it restores what it has changed, or says what it could not.
import { beforeAll, describe, expect, test } from "vitest";
import { CLI, run } from "../support/command.js";
import { buildIfStale } from "../support/fresh-build.js";
import { startBackend } from "./backend.js";
import { MAIN_KEY } from "./backend-data.js";

describe("signals to the command", () => {
  beforeAll(buildIfStale);

  /** @param onChange called for each update after the first that changes all channels; whether it is to hang. */
  async function start(onChange: () => boolean) {
    let isChanged = false;
    const backend = await startBackend((created) => {
      const { store } = created;
      created.store = async (own, channels, workflow) => {
        const result = await store.call(created, own, channels, workflow);
        isChanged ||= channels.email === false && channels.push === false;
        if (isChanged && onChange()) await new Promise(() => {});
        return result;
      };
    });
    const data = ["--subscriber", "ada", "--other-subscriber", "grace-42", "--workflow", "zebra-welcome"];
    const env = { NC_API_KEY: MAIN_KEY };
    return { backend, child: run(process.execPath, [CLI, "verify", "--url", backend.url.href, ...data], { env }) };
  }

  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("%s: restores, reports, exits with %i", async (signal, code) => {
    let kill = () => {};
    const { backend, child } = await start(() => {
      kill();
      kill = () => {};
      return false;
    });
    kill = () => child.child.kill(signal);
    expect(await child.ended).toBe(code);
    await backend.close();
    expect(child.output()).toContain(`Stopping (${signal}): restoring what was changed.`);
    expect(child.output()).toContain("The preferences of ada were changed and restored.");
    expect(child.output()).toMatch(new RegExp(`Incomplete: the run was interrupted \\(${signal}\\)`));
  });

  test("a second one: stops at once, and says what was not restored", async () => {
    let kill = () => {};
    const { backend, child } = await start(() => {
      kill();
      return true;
    });
    kill = () => child.child.kill("SIGINT");
    await child.printed(/Stopping \(SIGINT\)/);
    const pressing = setInterval(kill, 100);
    expect(await child.ended.finally(() => clearInterval(pressing))).toBe(130);
    await backend.close();
    expect(child.output()).toMatch(/Stopped\. Not restored: .*the preferences of ada/);
  });
});
