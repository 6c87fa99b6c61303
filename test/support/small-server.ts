// A server on a small seed and a folder with a frozen clock, and a client of it. Closes when the test ends.
import { createServer } from "node:http";
import pino from "pino";
import { onTestFinished } from "vitest";
import { createFrozenClock } from "../../src/core/domain/clock.js";
import * as pages from "../../src/pages/docs/server-pages.js";
import { serveProposal } from "../../src/proposals/proposal.js";
import { createApp } from "../../src/server/app.js";
import { servingOf } from "../../src/server/serving.js";
import { contract } from "./contract.js";
import { listen } from "./listen.js";
import { openSmallStore } from "./small-store.js";
import { createWireClient, type WireClient } from "./wire-client.js";

export interface SmallServer extends WireClient {
  close(): Promise<void>;
}

const API_KEY = "small-key";

/** Starts a server on the folder. A test may restart it. */
export async function startSmallServer(folder: string, now: string): Promise<SmallServer> {
  const clock = createFrozenClock(new Date(now));
  const store = await openSmallStore(folder, { apiKey: API_KEY, clock });
  const log = pino({ level: "silent" });
  const serving = servingOf(contract, serveProposal);
  const app = createApp({ pages, serving, contract, store, clock, log, plan: "enterprise", checkResponses: true });
  const server = createServer(app);
  const url = await listen(server);
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await store.close();
  };
  onTestFinished(close);
  return { ...createWireClient(url, API_KEY), close };
}
