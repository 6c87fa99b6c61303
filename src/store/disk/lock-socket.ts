// Sockets that accept connections as long as their process lives. Whoever shares the folder can connect, also from another
// container, where a pid says nothing.
import { once } from "node:events";
import { closeSync, existsSync, openSync, rmSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { basename, dirname, relative } from "node:path";

const MAX_ADDRESS_BYTES = 100; // of a socket, in bytes; the systems take 103 or more

/** Accepts connections at a path for as long as this process lives. Undefined where there can be no socket. */
export async function listenAt(path: string): Promise<Server | undefined> {
  return withAddress(path, (address) => listen(address, path));
}

/** Whether a process still listens at the path of a socket; undefined where the path is too long to tell. */
export async function isListening(path: string): Promise<boolean | undefined> {
  return withAddress(path, acceptsConnections);
}

async function listen(address: string, path: string): Promise<Server | undefined> {
  const server = createServer((connection) => connection.destroy()).unref();
  try {
    await once(server.listen(address), "listening");
  } catch {
    return undefined; // what is wrong with the folder itself shows when a file is written instead
  }
  server.on("error", () => {}); // a connection was accepted by the system by then, which is all it is for
  if (await acceptsConnections(address)) return server;
  server.close();
  rmSync(path, { force: true });
  return undefined; // it can be made here, but not be connected to
}

async function acceptsConnections(address: string): Promise<boolean> {
  const socket = connect(address);
  try {
    await once(socket, "connect");
    return true;
  } catch (error) {
    // Any other error is one of a socket that is there: of another user, or with too many connections.
    return !["ECONNREFUSED", "ENOENT"].includes((error as NodeJS.ErrnoException).code ?? "");
  } finally {
    socket.destroy();
  }
}

/** The path as short as it can be written. A longer one is reached through its open folder where the system has /proc. */
async function withAddress<T>(path: string, use: (address: string) => Promise<T>): Promise<T | undefined> {
  const fromHere = relative(process.cwd(), path);
  const address = fromHere.length < path.length ? fromHere : path;
  if (Buffer.byteLength(address) <= MAX_ADDRESS_BYTES) return use(address);
  if (!existsSync("/proc/self/fd")) return undefined;
  const folder = openSync(dirname(path), "r");
  try {
    return await use(`/proc/self/fd/${folder}/${basename(path)}`);
  } finally {
    closeSync(folder);
  }
}
