// Checks a target before a run: is it our own server, and does it have everything that a run needs? One message lists what is
// missing, instead of one failure for each case.
import type { Contract } from "../../contract/contract.js";
import { ConfigError } from "../../server/config.js";
import { KNOWN_OPERATIONS, knownNameOf } from "../judge/operations.js";
import { operationOf, type TestRequest, toSpec } from "./exchange.js";
import { NoResponseError, type RawResponse, type Transport } from "./http-transport.js";
import type { Target } from "./target.js";

interface Health {
  contract?: { sha256?: unknown };
}

/** True for our own servers, whose /health has the digest of their contract. */
export const isOurs = ({ contract }: Health) => /^[0-9a-f]{64}$/.test(String(contract?.sha256));

/** @throws TargetDownError */
export async function readHealth({ pathname }: URL, transport: Transport): Promise<Health> {
  const target = `${pathname.replace(/\/$/, "")}/health`;
  const response = await transport.send({ method: "GET", target, headers: {} }).catch((error) => {
    if (error instanceof NoResponseError) return undefined;
    throw error;
  });
  try {
    return (response?.status === 200 && (JSON.parse(response.text) as Health | null)) || {};
  } catch {
    return {}; // a page of another server
  }
}

/** @throws ConfigError with a line for each reason why the target cannot be tested as declared; TargetDownError */
export async function assertPreconditions(contract: Contract, target: Target, transport: Transport): Promise<void> {
  const send = (request: TestRequest) =>
    transport.send(toSpec(request, contract, target)).catch((error): RawResponse => {
      if (error instanceof NoResponseError) return { status: 0, headers: {}, text: error.message };
      throw error;
    });
  const names = contract.operations.map(knownNameOf);
  if (!KNOWN_OPERATIONS.every((name) => names.includes(name))) return; // the checks need both
  const path = target.url.pathname.replace(/\/$/, "") + operationOf(contract, "listNotifications").path;
  const missing = toObstacles(path, await send({ operation: "listNotifications", query: { limit: 1 } }));
  const canUpdate = target.can.includes("stateful") && !target.isReadOnly;
  if (missing.length === 0 && canUpdate) missing.push(...(await findMissing(target, send)));
  if (missing.length === 0) return;
  throw new ConfigError(["The target cannot be tested yet:", ...missing.map((reason) => `  ${reason}`)].join("\n"));
}

const REMEDIES: Readonly<Record<number, string>> = {
  401: "Set NC_API_KEY to a key of the target.",
  403: 'Check the API key, and "headers" in verify.config.json for those of a gateway.',
  404: "Check the path in --url.",
};

/** Explains why the list cannot be read at all. */
function toObstacles(path: string, { status, headers, text }: RawResponse): string[] {
  if (status === 0) return [`${path} sends no response (${text}).`];
  if (status >= 300 && status < 400) return [`${path} is redirected to ${headers.location}. Use that URL.`];
  if (status in REMEDIES) return [`${path} responds with ${status}. ${REMEDIES[status]}`];
  if (/^text\/html/i.test(headers["content-type"] ?? "")) return [`${path} is a web page. Check the address in --url.`];
  return [];
}

async function findMissing(target: Target, send: (request: TestRequest) => Promise<RawResponse>): Promise<string[]> {
  const { subscriber, otherSubscriber, workflow, otherApiKey } = target;
  const update = (subscriberId: string, body: object = {}) =>
    send({ operation: "updatePreferences", path: { subscriberId }, body: { channels: {}, ...body } });
  const missing: string[] = [];
  for (const [option, id] of Object.entries({ "--subscriber": subscriber, "--other-subscriber": otherSubscriber })) {
    if ((await update(id)).status === 404)
      missing.push(`The subscriber ${id} does not exist (404). Create it, or name another with ${option}.`);
  }
  if (subscriber === otherSubscriber) missing.push("--subscriber and --other-subscriber are the same.");
  if (missing.length === 0) {
    const { status } = await update(subscriber, { workflowId: workflow });
    if (status === 404) missing.push(`The workflow ${workflow} does not exist (404). Name another with --workflow.`);
  }
  if (otherApiKey === target.apiKey) missing.push("NC_OTHER_API_KEY is the same key as NC_API_KEY.");
  else if (otherApiKey !== undefined) {
    const headers = { authorization: `ApiKey ${otherApiKey}` };
    if ((await send({ operation: "listNotifications", headers })).status === 401)
      missing.push("The second API key is rejected (401). Correct NC_OTHER_API_KEY, or unset it.");
  }
  return missing;
}
