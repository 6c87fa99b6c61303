// Free ports.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo, Server } from "node:net";

/** Returns the server's URL, such as `http://127.0.0.1:40123`. */
export async function listen(server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Returns a port where nobody listens. */
export async function findFreePort(): Promise<number> {
  const server = createServer();
  const { port } = new URL(await listen(server));
  await new Promise((resolve) => server.close(resolve));
  return Number(port);
}
