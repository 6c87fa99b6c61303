// The options of `verify`, and the target that they declare.
import { readFileSync } from "node:fs";
import { InvalidArgumentError, Option } from "commander";
import { ConfigError, DEFAULT_API_KEY } from "../server/config.js";
import type { Exception } from "../tools/exceptions.js";
import {
  CAPABILITIES,
  type Capability,
  DEMO_DATA,
  PLAN_DAYS,
  TARGETS,
  type Target,
  type TargetKind,
} from "../tools/verify/target.js";
import { contractOption, option, removedOption } from "./options.js";

export const CONFIG_FILE = "verify.config.json";

/** As commander reads them. */
export interface VerifyCommandOptions
  extends Pick<Target, "url" | "otherApiKey" | "subscriber" | "otherSubscriber" | "workflow">,
    Pick<Target, "workflowChannels" | "criticalWorkflow" | "plan">,
    Partial<Pick<Target, "apiKey" | "unlistedWorkflows" | "furtherSubscribers" | "listedWorkflows">> {
  config?: string;
  readOnly?: boolean;
  /** The exceptions of the config file and of `exceptions`. */
  listedExceptions?: Exception[];
  controlKey?: string;
  target?: keyof typeof TARGETS;
  ca?: string;
  header: Record<string, string>;
  rate?: number;
  timeout?: number;
  with: Capability[];
  without: Capability[];
  except: string[];
  exceptions?: string;
  contract: string;
  only?: string[];
  seed?: number;
  time?: number;
  bail?: boolean;
  concurrency: number;
  json?: string;
  junit?: string;
  markdown?: string;
  html?: string;
}

/** Options that describe the target. verify.config.json can hold them, so the help lists them last. */
export const createTargetOptions = (): Option[] =>
  [
    option("--control-key <key>", "the key of the target's control plane"),
    option("--ca <file>", "a certificate to trust, in PEM"),
    new Option("--header <name: value>", "send this header with each request; may be repeated")
      .argParser(toHeaders)
      .default({}),
    option("--exceptions <file>", 'known differences with reasons, as JSON: [{ "match", "reason", "until" }]'),
    option("--subscriber <id>", "a subscriber; preferences are changed and restored").default(DEMO_DATA.subscriber),
    option("--other-subscriber <id>", "another subscriber").default(DEMO_DATA.otherSubscriber),
    option("--workflow <identifier>", "a workflow that is active and listed").default(DEMO_DATA.workflow),
    option("--workflow-channels <names>", "the channels of its active steps").argParser(toList),
    option("--critical-workflow <identifier>", "a critical workflow, which rejects updates"),
    option("--unlisted-workflows <names>", "workflows that accept updates and are not listed").argParser(toList),
    option("--plan <name>", "the subscription plan of the key, which sets the dates that it allows").choices(
      Object.keys(PLAN_DAYS),
    ),
  ].map((described) => described.hideHelp());

export const createVerifyOptions = (): Option[] => [
  option("--url <url>", "base URL of the target").argParser(toUrl),
  new Option("--config <file>", `what describes the target, as JSON (default: ${CONFIG_FILE}, if there is one)`),
  new Option("--read-only", "send no update at all; cases that need one are not applicable"),
  option("--api-key <key>", `the API key; ${WITHOUT_KEY}`),
  option("--other-api-key <key>", "the API key of another environment; the variable keeps it out of ps"),
  option("--target <kind>", `the kind of target, which sets its capabilities; ${WITHOUT_KIND}`).choices(
    Object.keys(TARGETS),
  ),
  option("--rate <number>", "the most requests in a second").argParser(toNumber),
  option("--timeout <seconds>", "for a response (default: 15)").argParser(toNumber),
  new Option("--with <capabilities>", "further capabilities, separated by commas")
    .argParser(toCapabilities)
    .default([]),
  new Option("--without <capabilities>", "capabilities that it lacks").argParser(toCapabilities).default([]),
  new Option("--except <list>", "clauses, decisions or parts of case names in which it is known to differ")
    .argParser(toList)
    .default([]),
  contractOption("the contract to test against"),
  new Option("--only <text>", "run only cases with this text in their name or citations; may be repeated").argParser(
    collect,
  ),
  new Option("--seed <number>", "repeat the random cases of the run with this seed").argParser(toNumber),
  new Option("--time <seconds>", "the time to use; random cases run until it is up").argParser(toNumber),
  new Option("--bail", "stop at the first failure"),
  new Option("--concurrency <number>", "concurrent cases; updates are never concurrent").argParser(toNumber).default(4),
  option("--json <file>", "write the whole report as JSON; as with the others, - is standard output"),
  option("--junit <file>", "write JUnit XML"),
  option("--markdown <file>", "write a comment for a pull request"),
  option("--html <file>", "write one page with the coverage matrix"),
  removedOption("--har <file>", "each failure has curl lines, in every report, and --json has all results"),
  removedOption("--format <name>", "append the file of --markdown to $GITHUB_STEP_SUMMARY"),
];

const WITHOUT_KEY = `without it: temporary environments on a reference server, ${DEFAULT_API_KEY} elsewhere`;
const WITHOUT_KIND = "without it: reference where /health is our own server's, else implementation";

/**
 * The target, of the kind that was declared or recognized.
 * @throws ConfigError for a file that cannot be read.
 */
export function toTarget(options: VerifyCommandOptions, recognized: keyof typeof TARGETS): Target {
  const { url, apiKey, otherApiKey, subscriber, otherSubscriber, workflow, without, ca, timeout } = options;
  const kindName = options.target ?? recognized;
  const kind: TargetKind = TARGETS[kindName];
  // Who names other data has another seed.
  const data = { subscriber, otherSubscriber, workflow };
  const isDemo = Object.entries(data).every(([name, value]) => DEMO_DATA[name as keyof typeof data] === value);
  const implied = kind.can.filter((name) => isDemo || name !== "demo-seed");
  const can = [...new Set([...implied, ...options.with])].filter((name) => !without.includes(name));
  const demo = can.includes("demo-seed") ? DEMO_DATA : undefined;
  const own = options.except.map((match) => ({ match, reason: "--except" }));
  return {
    ...data,
    url,
    apiKey: apiKey ?? DEFAULT_API_KEY,
    otherApiKey,
    control:
      apiKey === undefined && kindName === "reference" && !options.readOnly ? { key: options.controlKey } : undefined,
    connection: {
      headers: options.header,
      ratePerSecond: options.rate,
      timeoutMs: timeout === undefined ? undefined : timeout * 1000,
      ca: ca === undefined ? undefined : readCertificate(ca),
    },
    can,
    isReadOnly: options.readOnly === true,
    furtherSubscribers: options.furtherSubscribers,
    listedWorkflows: options.listedWorkflows,
    except: [...(options.listedExceptions ?? []), ...own, ...kind.except],
    workflowChannels:
      options.workflowChannels ?? (workflow === DEMO_DATA.workflow ? demo?.workflowChannels : undefined),
    plan: options.plan,
    criticalWorkflow: options.criticalWorkflow ?? demo?.criticalWorkflow,
    unlistedWorkflows: options.unlistedWorkflows ?? demo?.unlistedWorkflows ?? [],
  };
}

function readCertificate(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new ConfigError(`--ca cannot be read: ${(error as Error).message}`);
  }
}

function toHeaders(text: string, before: Record<string, string>): Record<string, string> {
  const [, name, value = ""] = /^([\w!#$%&'*+.^`|~-]+): *(.*)$/.exec(text) ?? [];
  if (name === undefined) throw new InvalidArgumentError("It must be a header, as in 'x-tenant: 7'.");
  return { ...before, [name.toLowerCase()]: value };
}

export function toUrl(text: string): URL {
  if (!URL.canParse(text)) throw new InvalidArgumentError("It must be a URL, as in http://127.0.0.1:4010.");
  const url = new URL(text);
  if (!/^https?:$/.test(url.protocol)) throw new InvalidArgumentError("It must begin with http:// or https://.");
  if (url.username || url.search || url.hash)
    throw new InvalidArgumentError("It must have no user, query or fragment.");
  return url;
}

function toList(text: string): string[] {
  const parts = text.split(",").map((part) => part.trim());
  return parts.filter((part) => part !== "");
}

/** Names of cases have commas in them. */
function collect(text: string, before: string[] = []): string[] {
  return [...before, text];
}

function toCapabilities(text: string): Capability[] {
  const names = toList(text);
  const unknown = names.filter((name) => !Object.hasOwn(CAPABILITIES, name)).join(", ");
  if (unknown === "") return names as Capability[];
  throw new InvalidArgumentError(`Unknown: ${unknown}. The capabilities are ${Object.keys(CAPABILITIES).join(", ")}.`);
}

function toNumber(text: string): number {
  if (!/^\d{1,10}$/.test(text) || Number(text) === 0)
    throw new InvalidArgumentError("It must be a whole number above 0.");
  return Number(text);
}
