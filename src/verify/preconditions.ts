// What a run needs of a target, checked before it: what is missing is one message, and no failure of each case.
import type { Contract } from "../contract/contract.js";
import { operationOf, type TestRequest, toSpec } from "./exchange.js";
import { NoResponseError, type RawResponse, type Transport } from "./http-transport.js";
import type { Preferences } from "./preferences.js";
import type { Target } from "./target.js";

const LIST = "listNotifications";

/** The target cannot be tested as it is declared. The message has a line for each reason. */
export class PreconditionError extends Error {}

/** @throws PreconditionError, TargetDownError */
export async function assertPreconditions(contract: Contract, target: Target, transport: Transport): Promise<void> {
  const missing = await findMissing(contract, target, transport);
  if (missing.length === 0) return;
  throw new PreconditionError(["The target cannot be tested yet:", ...missing.map((one) => `  ${one}`)].join("\n"));
}

async function findMissing(contract: Contract, target: Target, transport: Transport): Promise<string[]> {
  const { url, can, subscriber, otherSubscriber, workflow, otherApiKey } = target;
  const send = (request: TestRequest) =>
    transport.send(toSpec(request, contract, target)).catch((error): RawResponse => {
      if (error instanceof NoResponseError) return { status: 0, headers: {}, text: error.message };
      throw error;
    });
  const path = `${url.pathname.replace(/\/$/, "")}${operationOf(contract, LIST).path}`;

  const { status, headers, text } = await send({ operation: LIST, query: { limit: 1 } });
  if (status === 0) return [`${path} sends no response (${text}).`];
  if (status >= 300 && status < 400)
    return [`${path} is redirected to ${headers.location}. Use the URL that it is redirected to.`];
  if (status === 401) return ["The API key is rejected (401). Set NC_API_KEY to a key of the target."];
  if (status === 403) return [`${path} is forbidden (403). Check the API key, or --header for a gateway's own.`];
  if (status === 404) return [`${path} does not exist (404). Check the path in --url.`];
  if (/^text\/html/i.test(headers["content-type"] ?? "")) return [`${path} is a web page. Check the address in --url.`];
  if (!can.includes("stateful")) return [];

  const missing: string[] = [];
  const write = (subscriberId: string, body: object) =>
    send({ operation: "updatePreferences", path: { subscriberId }, body });
  const options = [
    ["--subscriber", subscriber],
    ["--other-subscriber", otherSubscriber],
  ] as const;
  for (const [option, id] of options) {
    const response = await write(id, { channels: {} });
    if (response.status === 404)
      missing.push(`The subscriber ${id} does not exist (404). Create it, or name another with ${option}.`);
  }
  if (subscriber === otherSubscriber) missing.push("--subscriber and --other-subscriber are the same.");
  if (missing.length === 0) {
    const response = await write(subscriber, { channels: {}, workflowId: workflow });
    if (response.status === 404)
      missing.push(`The workflow ${workflow} does not exist (404). Name another with --workflow.`);
    else if (response.status === 200 && !isListed(response, workflow))
      missing.push(
        `The workflow ${workflow} is not listed: it is inactive, critical or read-only. Name another with --workflow.`,
      );
  }
  if (otherApiKey !== undefined) {
    const other = await send({ operation: LIST, headers: { authorization: `ApiKey ${otherApiKey}` } });
    if (other.status === 401)
      missing.push("The second API key is rejected (401). Correct NC_OTHER_API_KEY, or unset it.");
    else if (otherApiKey === target.apiKey) missing.push("NC_OTHER_API_KEY is the same key as NC_API_KEY.");
  }
  return missing;
}

/** A body of another shape is for the suite to report. */
function isListed({ text }: RawResponse, identifier: string): boolean {
  try {
    const { workflows } = JSON.parse(text) as Preferences;
    return !Array.isArray(workflows) || workflows.some(({ workflow }) => workflow?.identifier === identifier);
  } catch {
    return true;
  }
}
