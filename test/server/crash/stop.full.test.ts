import { once } from "node:events";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { type ClientRequest, type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { describe, expect, onTestFinished, test } from "vitest";
import type { ChannelPreferences } from "../../../src/contract/contract-types.js";
import { parseEnvironment } from "../../../src/server/store/format.js";
import { serve } from "../../support/command.js";
import { contract } from "../../support/contract.js";
import { toEnvironmentText } from "../../support/environment-text.js";
import { createSmallSeed } from "../../support/small-seed.js";
import { createTemporaryFolder } from "../../support/temporary-folder.js";
import { createWireClient } from "../../support/wire-client.js";

const SUBSCRIBERS = Array.from({ length: 8 }, (_, index) => `subscriber-${index + 1}`);

describe("stopping", () => {
  test.each(["SIGTERM", "SIGINT"] as const)(
    "%s: requests under way get their responses, on connections that then end; it exits with 0 and all is stored",
    async (signal) => {
      const { server, folder } = await start();
      const requests = await Promise.all(["subscriber-1", "subscriber-2"].map((id) => begin(server.url, id)));
      server.child.kill(signal);
      await server.printed(/Stopping/);
      const responses = await Promise.all(requests.map(finish));

      expect(responses).toEqual(requests.map(() => ({ status: 200, connection: "close", email: false })));
      expect(await server.ended).toBe(0);
      expect(await readdir(folder)).toEqual([".gitignore", "default.journal", "default.json"]);
      expect((await readPreferences(folder)).map(({ subscriberId, global }) => [subscriberId, global])).toEqual([
        ["subscriber-1", { email: false }],
        ["subscriber-2", { email: false }],
      ]);
    },
  );

  test("clients that keep sending do not delay it, and acknowledged changes are stored", async () => {
    const { server, folder } = await start();
    const client = createWireClient(server.url, "demo-key");
    const acknowledged = new Map<string, boolean>();
    let responses = 0;
    const sendOn = async (subscriberId: string) => {
      for (let email = false; ; email = !email) {
        const response = await client.update(subscriberId, { channels: { email } }).catch(() => undefined);
        if (!response) return [subscriberId, email] as const; // without a response: it may be stored or not
        acknowledged.set(subscriberId, email);
        responses += 1;
        if (responses === 50) server.child.kill("SIGTERM");
      }
    };
    const pending = await Promise.all(SUBSCRIBERS.map(sendOn));

    expect(await server.ended).toBe(0);
    expect(await readdir(folder)).toEqual([".gitignore", "default.journal", "default.json"]);
    const stored = new Map(
      (await readPreferences(folder)).map(({ subscriberId, global }) => [subscriberId, global.email]),
    );
    for (const [subscriberId, email] of pending) {
      expect([acknowledged.get(subscriberId), email]).toContain(stored.get(subscriberId));
    }
  });
});

async function start() {
  const cwd = await createTemporaryFolder();
  const folder = join(cwd, "environments");
  const seed = join(await createTemporaryFolder(), "seed.json");
  await writeFile(seed, toEnvironmentText(createSmallSeed({ subscribers: SUBSCRIBERS.length })));
  const server = await serve(["--port", "0", "--data", "environments", "--seed", seed], { cwd });
  expect(server.output(), "the start message names the folder in full").toContain(`State     ${folder} (new; `);
  onTestFinished(async () => {
    server.child.kill("SIGKILL");
    await server.ended;
  });
  return { server, folder };
}

async function readPreferences(folder: string) {
  return parseEnvironment(await readFile(join(folder, "default.json")), "default.json", contract).preferences;
}

const BODY = JSON.stringify({ channels: { email: false } });

/** Sends all of an update but its body. Settles when the server has it: it has asked for the rest. */
async function begin(url: string, subscriberId: string): Promise<ClientRequest> {
  const begun = request(`${url}/v2/subscribers/${subscriberId}/preferences`, {
    method: "PATCH",
    headers: {
      authorization: "ApiKey demo-key",
      connection: "keep-alive",
      "content-type": "application/json",
      "content-length": Buffer.byteLength(BODY),
      expect: "100-continue",
    },
  });
  begun.flushHeaders();
  await once(begun, "continue");
  return begun;
}

async function finish(begun: ClientRequest) {
  const responded = once(begun, "response") as Promise<[IncomingMessage]>;
  begun.end(BODY);
  const [response] = await responded;
  const { global } = (await json(response)) as { global: { channels: ChannelPreferences } };
  return { status: response.statusCode, connection: response.headers.connection, email: global.channels.email };
}
