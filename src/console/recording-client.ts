// The typed client of the panels. It records its latest request, so that they can show it.
import { type Client, createClient } from "../client/client.js";
import type { LoggedRequest } from "../client/control.js";

export interface RecordingClient {
  baseUrl: string;
  apiKey: string;
  client: Client;
  latestRequest(): Promise<SentRequest>;
}

export interface SentRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | undefined;
}

/** Marks the requests of this page in the log. */
const OWN_HEADER = "x-requested-by";
const OWN_NAME = "console";

export function createRecordingClient(baseUrl: string, apiKey: string): RecordingClient {
  let latest: Promise<SentRequest> | undefined;
  const client = createClient({
    baseUrl,
    apiKey,
    fetch(request) {
      latest = toSentRequest(request.clone());
      request.headers.set(OWN_HEADER, OWN_NAME);
      return fetch(request);
    },
  });
  return {
    baseUrl,
    apiKey,
    client,
    latestRequest() {
      if (!latest) throw new Error("No request has been sent yet.");
      return latest;
    },
  };
}

export function isOwn({ headers }: LoggedRequest): boolean {
  return headers[OWN_HEADER] === OWN_NAME;
}

type ClientResult<Data> = { ok: true; data: Data } | { ok: false; status: number; error: unknown };

/** @throws Error with status and message of an error response. */
export function toData<Data>(result: ClientResult<Data>): Data {
  if (result.ok) return result.data;
  // A response from an intermediary may have no message.
  const { message = "no message" } = (result.error ?? {}) as { message?: string };
  throw new Error(`${result.status}: ${message}`);
}

async function toSentRequest(request: Request): Promise<SentRequest> {
  const { method, url, headers } = request;
  const body = await request.text();
  return { method, url, headers: Object.fromEntries(headers), body: body === "" ? undefined : body };
}
