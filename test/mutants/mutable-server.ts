// The reference server behind a layer that may change requests and responses. Each mutant has a separate environment and
// key, so that one server serves them all.
import { createServer, request as requestHttp } from "node:http";
import type { AddressInfo } from "node:net";
import pino from "pino";
import { createApp } from "../../src/app.js";
import type { Contract } from "../../src/contract/contract.js";
import type { Seed } from "../../src/domain/state.js";
import { type Listener, startListener } from "../../src/http/listener.js";
import { createEnvironment, type Environment } from "../../src/store/environment.js";
import { loadSeed } from "../../src/store/seeds/seed.js";
import { openStore, type Store } from "../../src/store/store.js";

export interface Request {
  method: string;
  path: string;
  /** As it was sent, without the question mark. */
  query: string;
  headers: Record<string, string>;
  body: string;
  /** The body's bytes, for those that are no text. */
  bytes: Buffer;
}

export interface Response {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** Parsed; what a mutation leaves here is sent. */
  // biome-ignore lint/suspicious/noExplicitAny: mutations reach into bodies of all shapes
  body: any;
  /** As the true server has sent it. */
  text?: string;
}

export interface Around {
  /** Sends the request to the true server. */
  forward(request: Request): Promise<Response>;
  /** Kept between the requests of one mutant. */
  memory: Map<string, unknown>;
  seed: Seed;
  apiKey: string;
  otherApiKey: string;
}

export type Mutation = (request: Request, around: Around) => Promise<Response>;

export interface MutantServer {
  url: URL;
  apiKey: string;
  otherApiKey: string;
  close(): Promise<void>;
}

export interface MutableServer {
  start(mutation: Mutation): Promise<MutantServer>;
  close(): Promise<void>;
}

export async function openMutableServer(contract: Contract): Promise<MutableServer> {
  const seed = await loadSeed("demo", contract);
  const clock = { now: () => new Date() };
  const store = await openStore({
    contract,
    folder: undefined,
    apiKey: "mutable",
    seed: async () => seed,
    clock,
  });
  const log = pino({ level: "silent" });
  const app = createApp({
    contract,
    store: withSlowDisk(store),
    clock,
    log,
    plan: "enterprise",
    checkResponses: false,
  });
  const inner = await startListener(app, { host: "127.0.0.1", port: 0 });
  const otherSeed = {
    ...seed,
    environmentId: "66d0a0a0c0ffee0000000009",
    notifications: seed.notifications.slice(0, 20),
  };
  let count = 0;
  return {
    async start(mutation) {
      const { keys, environments } = await createEnvironments(store, { seed, otherSeed }, ++count);
      const mutant = await startMutant(mutation, inner, seed, keys);
      const close = async () => {
        await mutant.close();
        for (const environment of environments) await store.remove(environment);
      };
      return { ...mutant, close };
    },
    close: async () => {
      await inner.stop();
      await store.close();
    },
  };
}

/** As on a disk, an update takes some time, so that others arrive while it is in progress. */
function withSlowDisk(store: Store): Store {
  const slow = new WeakMap<Environment, Environment>();
  const log = { append: () => new Promise<void>((resolve) => setTimeout(resolve, 5)) };
  return {
    ...store,
    environmentOf(apiKey) {
      const environment = store.environmentOf(apiKey);
      if (!environment) return undefined;
      if (!slow.has(environment)) slow.set(environment, createEnvironment({ ...environment, log }));
      return slow.get(environment);
    },
  };
}

/** Environments of one seed that are made within a minute share its records. */
async function createEnvironments(store: Store, { seed, otherSeed }: { seed: Seed; otherSeed: Seed }, number: number) {
  const keys = { apiKey: `key-${number}-of-mutant`, otherApiKey: `other-key-${number}-of-mutant` };
  const environments = [
    await store.create({ name: `mutant-${number}`, apiKey: keys.apiKey, seed, isDurable: false }),
    await store.create({ name: `other-${number}`, apiKey: keys.otherApiKey, seed: otherSeed, isDurable: false }),
  ];
  return { keys, environments };
}

async function startMutant(
  mutation: Mutation,
  inner: Listener,
  seed: Seed,
  keys: { apiKey: string; otherApiKey: string },
) {
  const memory = new Map<string, unknown>();
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    const [path = "", query = ""] = (incoming.url ?? "").split(/\?(.*)/s);
    const request: Request = {
      method: incoming.method ?? "GET",
      path,
      query,
      headers: incoming.headers as Record<string, string>,
      body: bytes.toString(),
      bytes,
    };
    const shownTarget = (incoming.url ?? "").replaceAll(keys.apiKey, "…"); // D-48
    const forward = (sent: Request) => send(inner.port, sent, shownTarget);
    try {
      const { status, headers, body, text: original } = await mutation(request, { forward, memory, seed, ...keys });
      const text = toText(body, original);
      const length = incoming.method === "HEAD" ? headers["content-length"] : String(Buffer.byteLength(text));
      const recorded = Object.entries({ ...headers, "content-length": length }).filter(
        ([, value]) => value !== undefined,
      );
      outgoing.writeHead(status, Object.fromEntries(recorded) as Record<string, string>);
      outgoing.end(text);
    } catch {
      outgoing.destroy();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url, ...keys, close };
}

/** The original text where the body still has its value: its white space counts in the content-length that HEAD tells. */
function toText(body: unknown, original: string | undefined): string {
  if (body === undefined || typeof body === "string") return body ?? "";
  const text = JSON.stringify(body);
  return original && JSON.stringify(JSON.parse(original)) === text ? original : text;
}

/** @param original what `path` of an error has to name, whatever the mutation made of the request. */
function send(
  port: number,
  { method, path, query, headers, body, bytes }: Request,
  original: string,
): Promise<Response> {
  const sent = body === bytes.toString() ? bytes : Buffer.from(body);
  const { "content-length": _length, "transfer-encoding": _encoding, ...rest } = headers;
  const length = sent.length > 0 ? { "content-length": String(sent.length) } : {};
  return new Promise((resolve, reject) => {
    const url = query === "" ? path : `${path}?${query}`;
    const request = requestHttp(
      { port, host: "127.0.0.1", method, path: url, headers: { ...rest, ...length } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () => {
          const text = Buffer.concat(chunks).toString();
          const parsed = text === "" ? undefined : JSON.parse(text);
          if (parsed?.statusCode !== undefined && !headers.prefer) parsed.path = original;
          const { connection: _connection, "keep-alive": _keepAlive, ...received } = response.headers;
          resolve({ status: response.statusCode ?? 0, headers: received, body: parsed, text });
        });
      },
    );
    request.on("error", reject);
    request.end(sent);
  });
}
