// A fetch handler behind node:http, so that what tests servers tests it too.
import { createServer, type IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { listen } from "../../support/listen.js";

export interface Bridge {
  url: string;
  close(): Promise<void>;
}

export async function startBridge(handle: (request: Request) => Promise<Response>): Promise<Bridge> {
  const server = createServer((incoming, outgoing) => {
    respond(incoming).catch((error: Error) => outgoing.writeHead(500).end(String(error.stack)));

    async function respond({ method = "GET", rawHeaders, url = "/", headers }: IncomingMessage): Promise<void> {
      const isFramed = headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
      const hasBody = isFramed && method !== "GET" && method !== "HEAD";
      const headerPairs = rawHeaders.flatMap((name, index) => (index % 2 === 0 ? [[name, rawHeaders[index + 1]]] : []));
      const init = {
        ...{ method, headers: headerPairs },
        ...(hasBody ? { body: Readable.toWeb(incoming) as ReadableStream, duplex: "half" } : {}),
      } as RequestInit;
      const address = new URL(url, "http://api.example.com");
      const response = await handle(new Request(address, init));
      if (response.type === "error") return void incoming.destroy();
      response.headers.delete("content-length");
      outgoing.writeHead(response.status, Object.fromEntries(response.headers));
      // A URL writes a quote in a query as %27. Errors repeat the target: as it was sent.
      const path = (target: string) => `"path":${JSON.stringify(target)}`;
      outgoing.end((await response.text()).replace(path(address.pathname + address.search), () => path(url)));
    }
  });
  return {
    url: await listen(server),
    close: () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections()),
  };
}
