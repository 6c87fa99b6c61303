// The options of `verify`, and the target that they declare.
import { readFileSync } from "node:fs";
import { type Command, InvalidArgumentError, Option } from "commander";
import { ConfigError, DEFAULT_API_KEY } from "../config.js";
import { CONTRACT_PATH } from "../contract/contract-file.js";
import { type Exception, loadExceptions } from "./exception.js";
import { CAPABILITIES, type Capability, DEMO_DATA, TARGETS, type Target } from "./target.js";

export interface VerifyCommandOptions {
  url: URL;
  apiKey?: string;
  controlKey?: string;
  otherApiKey?: string;
  target?: keyof typeof TARGETS;
  ca?: string;
  header: Record<string, string>;
  rate?: number;
  timeout?: number;
  exceptions?: string;
  format?: "github";
  har?: string;
  with: string[];
  without: string[];
  except: string[];
  contract: string;
  subscriber: string;
  otherSubscriber: string;
  workflow: string;
  workflowChannels?: string[];
  criticalWorkflow?: string;
  unlistedWorkflows?: string[];
  only?: string[];
  seed?: number;
  time?: number;
  concurrency: number;
  json?: string;
  junit?: string;
  markdown?: string;
  html?: string;
}

export function addVerifyOptions(command: Command): Command {
  for (const one of createOptions()) command.addOption(one);
  return command;
}

const createOptions = (): Option[] => [
  option("--url <url>", "base URL of the target", "NC_URL").makeOptionMandatory().argParser(toUrl),
  option(
    "--api-key <key>",
    `the API key; without it: temporary environments on a reference server, ${DEFAULT_API_KEY} elsewhere`,
    "NC_API_KEY",
  ),
  option("--control-key <key>", "the key of the target's control plane", "NC_CONTROL_KEY"),
  option(
    "--other-api-key <key>",
    "the API key of another environment; the variable keeps it out of ps",
    "NC_OTHER_API_KEY",
  ),
  option(
    "--target <kind>",
    "the kind of target, which sets its capabilities; without it: reference where /health is our own server's, else implementation",
    "NC_TARGET",
  ).choices(Object.keys(TARGETS)),
  option("--ca <file>", "a certificate to trust, in PEM", "NC_CA"),
  option("--header <name: value>", "send this header with each request; may be repeated")
    .argParser(toHeaders)
    .default({}),
  option("--rate <number>", "the most requests in a second", "NC_RATE").argParser(toNumber),
  option("--timeout <seconds>", "for a response (default: 15)", "NC_TIMEOUT").argParser(toNumber),
  option("--with <capabilities>", "further capabilities, separated by commas").argParser(toCapabilities).default([]),
  option("--without <capabilities>", "capabilities that it lacks").argParser(toCapabilities).default([]),
  option("--except <list>", "clauses, decisions or parts of case names in which it is known to differ")
    .argParser(toList)
    .default([]),
  option("--exceptions <file>", 'the same with reasons, as JSON: [{ "match", "reason", "until" }]', "NC_EXCEPTIONS"),
  option("--contract <file>", "the contract to test against", "NC_CONTRACT").default(CONTRACT_PATH, "this package's"),
  option("--subscriber <id>", "a subscriber; preferences are changed and restored", "NC_SUBSCRIBER").default(
    DEMO_DATA.subscriber,
  ),
  option("--other-subscriber <id>", "another subscriber", "NC_OTHER_SUBSCRIBER").default(DEMO_DATA.otherSubscriber),
  option("--workflow <identifier>", "a workflow that is active and listed", "NC_WORKFLOW").default(DEMO_DATA.workflow),
  option("--workflow-channels <names>", "the channels of its active steps", "NC_WORKFLOW_CHANNELS").argParser(toList),
  option("--critical-workflow <identifier>", "a critical workflow, which rejects updates", "NC_CRITICAL_WORKFLOW"),
  option(
    "--unlisted-workflows <identifiers>",
    "workflows that accept updates and are not listed",
    "NC_UNLISTED_WORKFLOWS",
  ).argParser(toList),
  option("--only <text>", "run only cases with this text in their name or citations; may be repeated").argParser(
    collect,
  ),
  option("--seed <number>", "repeat the random cases of the run with this seed").argParser(toNumber),
  option("--time <seconds>", "the time to use; random cases run until it is up").argParser(toNumber),
  option("--concurrency <number>", "concurrent cases; updates are never concurrent").argParser(toNumber).default(4),
  option("--json <file>", "write the whole report as JSON; - is stdout", "NC_JSON"),
  option("--junit <file>", "write JUnit XML", "NC_JUNIT"),
  option("--markdown <file>", "write a comment for a pull request", "NC_MARKDOWN"),
  option("--har <file>", "write every request and response as HAR, without keys", "NC_HAR"),
  option("--format <name>", "print failures as annotations too", "NC_FORMAT").choices(["github"]),
  option("--html <file>", "write one page with the coverage matrix", "NC_HTML"),
];

function option(flags: string, description: string, variable?: string): Option {
  const one = new Option(flags, description);
  return variable === undefined ? one : one.env(variable);
}

/**
 * The target, of the kind that was declared or recognized.
 * @throws ConfigError for a file that cannot be read.
 */
export function toTarget(options: VerifyCommandOptions, recognized: keyof typeof TARGETS): Target {
  const { url, apiKey, controlKey, otherApiKey, subscriber, otherSubscriber, workflow, ca } = options;
  const kindName = options.target ?? recognized;
  const kind: { can: readonly Capability[]; except: readonly Exception[] } = TARGETS[kindName];
  const own = options.except.map((match) => ({ match, reason: "--except" }));
  const filed = options.exceptions === undefined ? [] : loadExceptions(options.exceptions);
  const without = new Set(options.without);
  const isDemo = // who names other data has another seed
    subscriber === DEMO_DATA.subscriber &&
    otherSubscriber === DEMO_DATA.otherSubscriber &&
    workflow === DEMO_DATA.workflow;
  const implied = kind.can.filter((name) => isDemo || name !== "demo-seed");
  const can = [...new Set([...implied, ...(options.with as Capability[])])].filter((name) => !without.has(name)); // `toCapabilities` has checked them
  const demo = can.includes("demo-seed")
    ? DEMO_DATA
    : { criticalWorkflow: undefined, workflowChannels: undefined, unlistedWorkflows: [] };
  return {
    url,
    apiKey: apiKey ?? DEFAULT_API_KEY,
    connection: {
      headers: options.header,
      ratePerSecond: options.rate,
      timeoutMs: options.timeout === undefined ? undefined : options.timeout * 1000,
      ca: ca === undefined ? undefined : readCertificate(ca),
    },
    control: apiKey === undefined && kindName === "reference" ? { key: controlKey } : undefined,
    otherApiKey,
    subscriber,
    otherSubscriber,
    workflow,
    can,
    except: [...filed, ...own, ...kind.except],
    workflowChannels: options.workflowChannels ?? (workflow === DEMO_DATA.workflow ? demo.workflowChannels : undefined),
    criticalWorkflow: options.criticalWorkflow ?? demo.criticalWorkflow,
    unlistedWorkflows: options.unlistedWorkflows ?? demo.unlistedWorkflows,
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

function toUrl(text: string): URL {
  if (!URL.canParse(text)) throw new InvalidArgumentError("It must be a URL, as in http://127.0.0.1:4010.");
  const url = new URL(text);
  if (!/^https?:$/.test(url.protocol)) throw new InvalidArgumentError("It must begin with http:// or https://.");
  if (url.username || url.search || url.hash)
    throw new InvalidArgumentError("It must have no user, query or fragment.");
  return url;
}

function toList(text: string): string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/** Names of cases have commas in them. */
function collect(text: string, before: string[] = []): string[] {
  return [...before, text];
}

function toCapabilities(text: string): string[] {
  const unknown = toList(text).filter((name) => !Object.hasOwn(CAPABILITIES, name));
  if (unknown.length === 0) return toList(text);
  throw new InvalidArgumentError(
    `Unknown: ${unknown.join(", ")}. The capabilities are ${Object.keys(CAPABILITIES).join(", ")}.`,
  );
}

function toNumber(text: string): number {
  if (!/^\d{1,10}$/.test(text) || Number(text) === 0)
    throw new InvalidArgumentError("It must be a whole number above 0.");
  return Number(text);
}
