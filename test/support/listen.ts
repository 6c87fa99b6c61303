// Lets a server of a test listen on a free port.
import { once } from "node:events";
import type { AddressInfo, Server } from "node:net";

/** Its URL: `http://127.0.0.1:40123`. */
export async function listen(server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
