// Signals to the command: it restores what it has changed, or says what it could not restore.
import { expect, test } from "vitest";
import { CLI, type Running, run, signalUntilEnded } from "../../support/command.js";
import { startBackend } from "./backend.js";
import { MAIN_KEY } from "./backend-data.js";
import { around } from "./plant.js";

/**
 * @param onChange is awaited before the response to the first update that switches email off, and to all later ones.
 */
async function start(onChange: (child: Running) => Promise<unknown>) {
  let child: Running | undefined;
  let isChanged = false;
  const pausing = around("store", async ({ original }, own, channels, workflow) => {
    const result = await original(own, channels, workflow);
    isChanged ||= channels.email === false;
    if (isChanged && child) await onChange(child);
    return result;
  });
  const backend = await startBackend(pausing);
  const data = ["--subscriber", "ada", "--other-subscriber", "grace-42", "--workflow", "zebra-welcome"];
  const env = { NC_API_KEY: MAIN_KEY };
  child = run(process.execPath, [CLI, "verify", "--url", backend.url.href, ...data, "--only", "concurrent"], { env });
  return { backend, child };
}

test("SIGTERM: restores, reports, exits with 143", async () => {
  let stopping: Promise<unknown> | undefined;
  const { backend, child } = await start((running) => {
    if (!stopping) running.child.kill("SIGTERM");
    stopping ??= running.printed(/Stopping/); // or the run may be over before the signal arrives
    return stopping;
  });
  expect(await child.ended).toBe(143);
  await backend.close();
  expect(child.output()).toContain("Stopping (SIGTERM): restoring what was changed.");
  expect(child.output()).toContain("The preferences of ada were changed and restored.");
  expect(child.output()).toMatch(/Incomplete: the run was interrupted \(SIGTERM\)/);
});

test("a second one: stops at once, and says what was not restored", async () => {
  const { backend, child } = await start((running) => {
    running.child.kill("SIGINT");
    return new Promise(() => {});
  });
  await child.printed(/Stopping \(SIGINT\)/);
  await signalUntilEnded(child, "SIGINT");
  expect(await child.ended).toBe(130);
  await backend.close();
  expect(child.output()).toMatch(/Stopped\. Not restored: .*the preferences of ada/);
});
