// Checks a target before a run: is it the reference server, and does it have everything that a run needs? One message lists
// what is missing, instead of one failure for each case.
import type { Contract } from "../../contract/contract.js";
import type { Preferences } from "../../contract/contract-types.js";
import { parseJson } from "../../contract/json.js";
import { ConfigError } from "../../core/options.js";
import { KNOWN_OPERATIONS, knownNameOf } from "../model/operations.js";
import type { Target } from "./declared-target.js";
import { NoResponseError, type RawResponse, type Transport } from "./http-transport.js";
import { operationOf, type TestRequest, toSpec } from "./test-request.js";

type Send = (request: TestRequest) => Promise<RawResponse>;

interface Health {
  contract?: { sha256?: unknown };
}

/** True for servers of this package, whose /health has the digest of their contract. */
export const isOurs = ({ contract }: Health) => /^[0-9a-f]{64}$/.test(String(contract?.sha256));

/** @throws TargetDownError */
export async function readHealth({ pathname }: URL, transport: Transport): Promise<Health> {
  const target = `${pathname.replace(/\/$/, "")}/health`;
  const response = await transport.send({ method: "GET", target, headers: {} }).catch((error) => {
    if (error instanceof NoResponseError) return undefined;
    throw error;
  });
  // Another server may have a page there.
  return (response?.status === 200 && (parseJson(response.text) as Health | null)) || {};
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
  const missing = findObstacles(path, await send({ operation: "listNotifications", query: { limit: 1 } }));
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
function findObstacles(path: string, { status, headers, text }: RawResponse): string[] {
  if (status === 0) return [`${path} sends no response (${text}).`];
  if (status >= 300 && status < 400) return [`${path} is redirected to ${headers.location}. Use that URL.`];
  if (status in REMEDIES) return [`${path} responds with ${status}. ${REMEDIES[status]}`];
  if (/^text\/html/i.test(headers["content-type"] ?? "")) return [`${path} is a web page. Check the address in --url.`];
  return [];
}

async function findMissing(target: Target, send: Send): Promise<string[]> {
  const { subscriber, otherSubscriber, furtherSubscribers = [], otherApiKey } = target;
  const update = (subscriberId: string, body: object = {}) =>
    send({ operation: "updatePreferences", path: { subscriberId }, body: { channels: {}, ...body } });
  const missing: string[] = [];
  for (const [index, id] of [subscriber, otherSubscriber, ...furtherSubscribers].entries()) {
    if ((await update(id)).status !== 404) continue;
    const member = nameSetting(target, SUBSCRIBER_OPTIONS[index], `subscribers[${index}]`);
    missing.push(`The subscriber ${id} (${member}) does not exist (404). Create it, or name another.`);
  }
  if (subscriber === otherSubscriber) missing.push("--subscriber and --other-subscriber are the same.");
  if (missing.length === 0) missing.push(...(await findMissingWorkflows(target, (body) => update(subscriber, body))));
  if (otherApiKey === target.apiKey) missing.push("NC_OTHER_API_KEY is the same key as NC_API_KEY.");
  else if (otherApiKey !== undefined) {
    const headers = { authorization: `ApiKey ${otherApiKey}` };
    if ((await send({ operation: "listNotifications", headers })).status === 401)
      missing.push("The second API key is rejected (401). Correct NC_OTHER_API_KEY, or unset it.");
  }
  return missing;
}

const SUBSCRIBER_OPTIONS = ["--subscriber", "--other-subscriber"];

/** How the user has given a value: in the file, or as an option. */
function nameSetting({ configFile }: Target, option: string | undefined, member: string): string {
  return configFile === undefined && option !== undefined ? option : `\`${member}\` in ${configFile ?? "the file"}`;
}

async function findMissingWorkflows(
  target: Target,
  update: (body?: object) => Promise<RawResponse>,
): Promise<string[]> {
  const { workflow, criticalWorkflow, unlistedWorkflows, listedWorkflows } = target;
  const members: [member: string, identifier: string | undefined][] = [
    ["workflows[0]", workflow],
    ["criticalWorkflow", criticalWorkflow],
    ...unlistedWorkflows.map((identifier, index): [string, string] => [`unlistedWorkflows[${index}]`, identifier]),
  ];
  const missing: string[] = [];
  for (const [member, identifier] of members) {
    if (identifier === undefined || (await update({ workflowId: identifier })).status !== 404) continue;
    const name = nameSetting(target, member === "workflows[0]" ? "--workflow" : undefined, member);
    missing.push(`The workflow ${identifier} (${name}) does not exist (404). Create it, or name another.`);
  }
  const isComplete = missing.length === 0 && listedWorkflows !== undefined;
  return isComplete ? findOrder(target, await update()) : missing;
}

/** Compares the listed workflows with the described ones. */
function findOrder(target: Target, { text }: RawResponse): string[] {
  const { listedWorkflows = [] } = target;
  const described = listedWorkflows.map(({ identifier }) => identifier);
  const listed = readWorkflows(text);
  const place = nameSetting(target, undefined, "workflows");
  const lists = `The target lists ${listed.join(", ") || "none"}.`;
  if (listed.join() === described.join()) return [];
  const isReordered = listed.toSorted().join() === described.toSorted().join();
  if (isReordered) return [`${place} has another order than the target. ${lists}`];
  const [absent] = described.filter((identifier) => !listed.includes(identifier));
  if (absent !== undefined) return [`${place} has ${absent}, which the target does not list. ${lists}`];
  const further = listed.filter((identifier) => !described.includes(identifier));
  return [`${place} lacks ${further.join(", ")}. ${lists}`];
}

/** The identifiers of the workflows in a preferences result; empty for another body, which the cases report. */
function readWorkflows(text: string): string[] {
  const body = parseJson(text) as Partial<Preferences> | undefined;
  return body?.workflows?.flatMap(({ workflow }) => workflow?.identifier ?? []) ?? [];
}
