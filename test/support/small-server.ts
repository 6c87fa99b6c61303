// A server on a small seed and a folder, with its clock standing still, and a client of it. Closed when the test ends.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import pino from "pino";
import { onTestFinished } from "vitest";
import { createFrozenClock } from "../../src/core/domain/clock.js";
import { createApp } from "../../src/server/app.js";
import { contract, openSmallStore } from "./small-store.js";
import { createWireClient, type WireClient } from "./wire-client.js";

export interface SmallServer extends WireClient {
  close(): Promise<void>;
}

const API_KEY = "small-key";

/** Starts a server on the folder, as often as a test wants to restart one. */
export async function startSmallServer(folder: string, now: string): Promise<SmallServer> {
  const clock = createFrozenClock(new Date(now));
  const store = await openSmallStore(folder, { apiKey: API_KEY, clock });
  const log = pino({ level: "silent" });
  const server = createServer(createApp({ contract, store, clock, log, plan: "enterprise", checkResponses: true }));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await store.close();
  };
  onTestFinished(close);
  return { ...createWireClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, API_KEY), close };
}
