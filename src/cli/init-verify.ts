// `verify --init`: asks the target what it has, writes the config file, and says what each entry allows to be tested.
import { existsSync } from "node:fs";
import { type Contract, loadContract } from "../contract/contract.js";
import type { Notification, NotificationPage, Preferences } from "../contract/contract-types.js";
import { ConfigError } from "../core/options.js";
import { DEMO_DATA, type Target } from "../tools/verify/declared-target.js";
import { openTransport, TargetDownError } from "../tools/verify/http-transport.js";
import { toSpec } from "../tools/verify/test-request.js";
import { EXIT, print, writeResult } from "./command.js";
import { buildTarget, CONFIG_FILE, type ConfigFile, type VerifyCommandOptions } from "./verify-target.js";

const MAX_PAGES = 10;
const PAGE_SIZE = 50;
const MAX_SUBSCRIBERS = 6;

/** What each entry adds to a run. */
const ALLOWS: Readonly<Partial<Record<keyof ConfigFile, string>>> = {
  subscribers: "updates, and that ids with spaces, slashes and other characters are decoded",
  workflows: "which workflows are listed, in which order, with which channels",
  criticalWorkflow: "that a critical workflow rejects updates, by each of its names",
  unlistedWorkflows: "that inactive and read-only workflows accept updates and are not listed",
};

/** Writes the file and returns the exit code. @throws ConfigError if the target cannot be read, or the file exists. */
export async function initVerify(options: VerifyCommandOptions): Promise<number> {
  const path = options.config ?? CONFIG_FILE;
  if (existsSync(path)) throw new ConfigError(`${path} exists. Remove it, or name another file with --config.`);
  const contract = await loadContract(options.contract);
  const described = await describeTarget(contract, buildTarget(options, "implementation")).catch((error) => {
    throw error instanceof TargetDownError ? new ConfigError(error.message) : error;
  });
  const { apiKey, otherApiKey } = options;
  const keys = { apiKey: "NC_API_KEY", ...(otherApiKey === undefined ? {} : { otherApiKey: "NC_OTHER_API_KEY" }) };
  // Without a key, a reference server has temporary environments.
  const file: ConfigFile = { url: options.url.href, ...(apiKey === undefined ? {} : { keys }), ...described };
  await writeResult(path, `${JSON.stringify(file, null, 2)}\n`);
  const lines = Object.entries(ALLOWS).map(([name, text]) => {
    const value = described[name as keyof typeof described];
    return value === undefined ? `  no ${name}: verify does not test ${text}` : `  ${name}: tests ${text}`;
  });
  const other =
    apiKey !== undefined && otherApiKey === undefined
      ? "  no keys.otherApiKey: set NC_OTHER_API_KEY to test that keys are isolated\n"
      : "";
  await print(process.stdout, `${path} is written. Add what the target has beyond it:\n${lines.join("\n")}\n${other}`);
  return EXIT.done;
}

/** Reads the list and the preferences of a subscriber, and sends updates that change nothing (D-04). */
async function describeTarget(contract: Contract, target: Target): Promise<Partial<ConfigFile>> {
  const transport = openTransport(target);
  const send = (request: Parameters<typeof toSpec>[0]) => transport.send(toSpec(request, contract, target));
  const update = (subscriberId: string, body: object = {}) =>
    send({ operation: "updatePreferences", path: { subscriberId }, body: { channels: {}, ...body } });
  try {
    const records = await readRecords(send);
    const subscribers = chooseSubscribers(records, target);
    const [subscriber = target.subscriber] = subscribers;
    const response = await update(subscriber);
    if (response.status !== 200)
      throw new ConfigError(
        `Expected 200 for an update of ${subscriber}, got ${response.status}. Name an existing one with --subscriber.`,
      );
    const { workflows } = JSON.parse(response.text) as Preferences;
    const listed = workflows.map(({ workflow, channels }) => {
      return { identifier: workflow.identifier, channels: Object.keys(channels) };
    });
    const named = records.flatMap(({ template }) => template?.triggers.map(({ identifier }) => identifier) ?? []);
    const others = [...new Set(named)].filter((name) => !listed.some(({ identifier }) => identifier === name));
    const statuses = new Map<string, number>();
    for (const workflowId of others) statuses.set(workflowId, (await update(subscriber, { workflowId })).status);
    const [critical] = others.filter((name) => statuses.get(name) === 400);
    const unlisted = others.filter((name) => statuses.get(name) === 200);
    const isNamed = target.workflow !== DEMO_DATA.workflow;
    const workflowsOfFile = listed.length === 0 && isNamed ? [{ identifier: target.workflow }] : listed;
    return {
      ...(subscribers.length > 1 ? { subscribers } : {}),
      ...(workflowsOfFile.length > 0 ? { workflows: workflowsOfFile } : {}),
      ...(critical === undefined ? {} : { criticalWorkflow: critical }),
      ...(unlisted.length > 0 ? { unlistedWorkflows: unlisted } : {}),
    };
  } finally {
    transport.close();
  }
}

async function readRecords(
  send: (request: Parameters<typeof toSpec>[0]) => Promise<{ status: number; text: string }>,
): Promise<Notification[]> {
  const records: Notification[] = [];
  for (let page = 0; page < MAX_PAGES; page++) {
    const { status, text } = await send({ operation: "listNotifications", query: { page, limit: PAGE_SIZE } });
    if (status === 401) throw new ConfigError("The list responds with 401. Set NC_API_KEY to a key of the target.");
    if (status !== 200) throw new ConfigError(`Expected 200 for the list, got ${status}: ${text.slice(0, 200)}`);
    const { data, hasMore } = JSON.parse(text) as NotificationPage;
    records.push(...data);
    if (!hasMore) break;
  }
  return records;
}

/** Those of the command line, then those of records: ids that need encoding first. */
function chooseSubscribers(records: readonly Notification[], { subscriber, otherSubscriber }: Target): string[] {
  const ids = [...new Set(records.flatMap((record) => record.subscriber?.subscriberId ?? []))];
  const isDefault = (id: string) => id === DEMO_DATA.subscriber || id === DEMO_DATA.otherSubscriber;
  const given = [subscriber, otherSubscriber].filter((id) => ids.includes(id) || !isDefault(id));
  const plain = ids.filter((id) => /^[\w-]+$/.test(id));
  const odd = ids.filter((id) => !plain.includes(id));
  return [...new Set([...given, ...plain.slice(0, 2), ...odd, ...plain])].slice(0, MAX_SUBSCRIBERS);
}
