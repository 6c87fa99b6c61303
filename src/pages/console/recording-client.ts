// The typed client of the panels. It records its latest request, so that they can show it as curl and as client code.
import { type Client, createClient, type Result } from "../../browser/client/client.js";
import { type RequestSpec, toCurl } from "../../contract/request-spec.js";
import { snippet } from "../docs-page/code-panel.js";

export interface RecordingClient {
  baseUrl: string;
  apiKey: string;
  client: Client;
  latestRequest(): Promise<RequestSpec>;
}

/** The server keeps requests with it apart, and injects no faults into them. */
const OWN_HEADER = "x-requested-by";
const OWN_NAME = "console";

export function createRecordingClient(baseUrl: string, apiKey: string): RecordingClient {
  let latest: Promise<RequestSpec> | undefined;
  const client = createClient({
    baseUrl,
    apiKey,
    fetch(request) {
      latest = toRequestSpec(request.clone());
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

type AnyResult = Result<"updatePreferences"> | Result<"listNotifications">;

/** @throws Error with status and message of an error response; what fetch has thrown when there is none. */
export function toData<R extends AnyResult>(result: R): Extract<R, { ok: true }>["data"] {
  if (result.ok) return result.data;
  if (result.status === 0) throw result.error.kind === "network" ? result.error.cause : new Error(result.error.message);
  throw new Error(`${result.status}: ${result.error.message}`);
}

async function toRequestSpec(request: Request): Promise<RequestSpec> {
  const { method, headers } = request;
  const { pathname, search } = new URL(request.url);
  const body = await request.text();
  return { method, target: pathname + search, headers: Object.fromEntries(headers), ...(body === "" ? {} : { body }) };
}

/** Shows a request in the panel's `<details data-request>`. */
export function showRequest(details: HTMLDetailsElement, request: RequestSpec, clientCode: string): void {
  const curl = toCurl(request, location.origin);
  const [summary] = details.children;
  if (!summary) throw new Error("The page has no summary for requests.");
  details.replaceChildren(summary, snippet("As curl", curl), snippet("As client code", clientCode));
  details.hidden = false;
}
