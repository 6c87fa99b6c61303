// The typed client as the panels use it. It remembers its latest request, so that they can show it.
import { type Client, createClient } from "../client/client.js";
import type { LoggedRequest } from "../client/control.js";

export interface Access {
  baseUrl: string;
  apiKey: string;
  client: Client;
  /** What the client has sent last. */
  latestRequest(): Promise<SentRequest>;
}

export interface SentRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | undefined;
}

/** Tells the requests of this page from those of others in the log. */
const OWN_HEADER = "x-requested-by";
const OWN_NAME = "console";

export function createAccess(baseUrl: string, apiKey: string): Access {
  let latest: Promise<SentRequest> | undefined;
  const client = createClient({
    baseUrl,
    apiKey,
    fetch(request) {
      latest = toSent(request.clone());
      request.headers.set(OWN_HEADER, OWN_NAME);
      return fetch(request);
    },
  });
  return {
    baseUrl,
    apiKey,
    client,
    latestRequest() {
      if (!latest) throw new Error("Nothing has been sent yet.");
      return latest;
    },
  };
}

export function isOwn({ headers }: LoggedRequest): boolean {
  return headers[OWN_HEADER] === OWN_NAME;
}

type Answered<Data> = { ok: true; data: Data } | { ok: false; status: number; error: unknown };

/** @throws Error with what was answered, where that was a refusal. */
export function toData<Data>(result: Answered<Data>): Data {
  if (result.ok) return result.data;
  // An answer from between here and the server may be without a message.
  const { message = "no reason was given" } = (result.error ?? {}) as { message?: string };
  throw new Error(`${result.status}: ${message}`);
}

async function toSent(request: Request): Promise<SentRequest> {
  const { method, url, headers } = request;
  const body = await request.text();
  return { method, url, headers: Object.fromEntries(headers), body: body === "" ? undefined : body };
}
