// A socket that an app listens on, from its first connection to its last answer.
import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { answerBrokenRequest } from "./http/broken-request.js";

export interface Listener {
  /** As in `http://127.0.0.1:4010`. */
  url: string;
  port: number;
  /** Takes no more requests and settles once those under way are answered, after a few seconds in any case. */
  stop(): Promise<void>;
}

/** How long a request that is under way at the stop may take. */
const GRACE_MS = 5000;

/** The system does not let us listen there. */
export class CannotListenError extends Error {
  constructor({ code, message }: NodeJS.ErrnoException, host: string, port: number) {
    super(
      code === "EADDRINUSE"
        ? `Port ${port} on ${host} is taken by another program. Choose one with --port, or --port 0 for a free one.`
        : `Cannot listen on ${host}, port ${port} (${message}). Choose another with --host or --port.`,
    );
    this.name = "CannotListenError";
  }
}

/**
 * Listens; port 0 takes a free one.
 * @throws CannotListenError
 */
export async function startListener(app: RequestListener, where: { host: string; port: number }): Promise<Listener> {
  const server = createServer(app);
  const stop = mindConnections(server);
  return { ...(await listen(server, where)), stop };
}

/**
 * Makes a server listen, and says where it does.
 * @throws CannotListenError
 */
export async function listen(
  server: Server,
  where: { host: string; port: number },
): Promise<Pick<Listener, "url" | "port">> {
  await new Promise<void>((resolve, reject) => {
    const refuse = (error: Error) => reject(new CannotListenError(error, where.host, where.port));
    server.once("error", refuse);
    server.listen(where.port, where.host, () => {
      server.off("error", refuse);
      resolve();
    });
  });
  const { port } = server.address() as AddressInfo; // a TCP server that listens has one
  const host = where.host.includes(":") ? `[${where.host}]` : where.host;
  return { url: `http://${host}:${port}`, port };
}

/**
 * Minds the connections of a server, and gives the function that stops it. Node's own close waits for ever for a connection that has sent nothing, half a head
 * or half a body, and for a client that keeps on asking.
 */
function mindConnections(server: Server): () => Promise<void> {
  const connections = new Set<Socket>();
  const busy = new Map<Socket, ServerResponse>();
  let stopping: Promise<void> | undefined;
  server.on("clientError", (error, socket) => {
    if (busy.get(socket as Socket)?.headersSent)
      socket.destroy(); // a second answer would be read as part of the first
    else answerBrokenRequest(error, socket);
  });
  server.on("connection", (socket) => {
    connections.add(socket);
    socket.once("close", () => connections.delete(socket));
  });
  server.prependListener("request", ({ socket }, response) => {
    busy.set(socket, response);
    if (stopping) response.setHeader("Connection", "close");
    response.once("close", () => {
      busy.delete(socket);
      if (stopping) socket.destroySoon(); // once what is written has gone out
    });
  });

  function stop(): Promise<void> {
    return new Promise((resolve) => {
      const force = setTimeout(() => server.closeAllConnections(), GRACE_MS);
      server.close(() => {
        clearTimeout(force);
        resolve();
      });
      for (const socket of connections) if (!busy.has(socket)) socket.destroy();
      for (const response of busy.values()) if (!response.headersSent) response.setHeader("Connection", "close");
    });
  }
  return () => {
    stopping ??= stop();
    return stopping;
  };
}
