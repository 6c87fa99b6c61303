// What the bare servers respond with: the same bytes as the reference server, recorded from it before the comparison.
import { readFileSync } from "node:fs";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

export interface RecordedResponses {
  /** By `toPageKey`. */
  pages: Record<string, unknown>;
  /** Of every update. */
  preferences: unknown;
}

/** Makes a query another each time it is sent (see load.ts), and finds nothing more. */
export const NEW_SUBSCRIBER = "&subscriberIds=new-[<id>]";

/** Path and query, without that. */
export function toPageKey(url: string): string {
  return url.replace(/&subscriberIds=new-.*/, "");
}

export function loadRecordedResponses(path: string | undefined): RecordedResponses {
  if (path === undefined) throw new Error("the file of recorded responses is missing");
  return JSON.parse(readFileSync(path, "utf8"));
}

export function listen(server: Server): void {
  server.listen(0, "127.0.0.1", () => {
    const { port } = server.address() as AddressInfo; // a TCP server that listens has one
    process.stdout.write(`http://127.0.0.1:${port}\n`);
  });
  process.once("SIGTERM", () => process.exit());
}
