// The target of `verify`, described by options and verify.config.json. Options and variables override the file.
import { existsSync } from "node:fs";
import { ConfigError } from "../core/options.js";
import { DEFAULT_API_KEY } from "../server/config.js";
import type { Exception } from "../tools/exceptions.js";
import { type Capability, DEMO_DATA, TARGETS, type Target, type TargetKind } from "../tools/verify/declared-target.js";
import { parseUrlOption } from "./command.js";

export const CONFIG_FILE = "verify.config.json";

/** Members that only the file sets. */
interface Description
  extends Partial<
    Pick<Target, "configFile" | "criticalWorkflow" | "furtherSubscribers" | "listedWorkflows" | "unlistedWorkflows">
  > {
  exceptions?: Exception[];
  headers?: Record<string, string>;
  /** In seconds. */
  timeout?: number;
  /** The file of known causes. */
  baseline?: string;
}

/** As commander reads them. */
export interface VerifyCommandOptions
  extends Description,
    Pick<Target, "url" | "otherApiKey" | "subscriber" | "otherSubscriber" | "workflow"> {
  config?: string;
  apiKey?: string;
  controlKey?: string;
  target?: keyof typeof TARGETS;
  readOnly?: boolean;
  with?: Capability[];
  without?: Capability[];
  except?: string[];
  contract: string;
  only?: string[];
  updateBaseline?: string;
  init?: boolean;
  /** How the command line declares the target, to write it again. */
  declaration?: string;
  thorough?: boolean;
  seed?: number;
  json?: string;
  junit?: string;
  markdown?: string;
  html?: string;
}

export interface ConfigFile extends Omit<Description, "furtherSubscribers" | "listedWorkflows"> {
  $schema?: string;
  url?: string;
  keys?: Partial<Record<"apiKey" | "otherApiKey" | "controlKey", string>>;
  subscribers?: string[];
  workflows?: { identifier: string; channels?: string[] }[];
}

/**
 * Completes the options with the config file; without `config`, with the file of the usual name, if it exists.
 * @param isSet returns true if an option comes from the command line or a variable.
 * @throws ConfigError
 */
export async function applyConfigFile(
  options: VerifyCommandOptions,
  isSet: (name: string) => boolean,
): Promise<VerifyCommandOptions> {
  const path = options.config ?? (existsSync(CONFIG_FILE) ? CONFIG_FILE : undefined);
  if (path === undefined) return options;
  const { loadValid } = await import("../tools/exceptions.js"); // imported here, since it loads a validator
  const { $schema: _schema, url, keys = {}, subscribers, workflows, ...rest } = loadValid<ConfigFile>(path, "#");
  const [subscriber, otherSubscriber, ...furtherSubscribers] = subscribers ?? [];
  const described = {
    ...rest,
    url: url === undefined ? undefined : parseUrl(path, url),
    ...Object.fromEntries(Object.entries(keys).map(([name, variable]) => [name, readVariable(path, variable)])),
    subscriber,
    otherSubscriber,
    furtherSubscribers,
    workflow: workflows?.[0]?.identifier,
    listedWorkflows: workflows,
    configFile: path,
  };
  const applied = Object.entries(described).filter(([name, value]) => value !== undefined && !isSet(name));
  return { ...options, ...Object.fromEntries(applied) };
}

function parseUrl(path: string, text: string): URL {
  try {
    return parseUrlOption(text);
  } catch (error) {
    throw new ConfigError(`${path}: file.url ${(error as Error).message}`);
  }
}

function readVariable(path: string, name: string): string {
  const value = process.env[name];
  if (!value) throw new ConfigError(`${path} names the variable ${name}, which is not set. Set it to the key.`);
  return value;
}

/** Creates the target, of the declared kind or else the recognized one. */
export function buildTarget(options: VerifyCommandOptions, recognized: keyof typeof TARGETS): Target {
  const { url, apiKey, otherApiKey, subscriber, otherSubscriber, workflow, timeout, without = [] } = options;
  const kindName = options.target ?? recognized;
  const kind: TargetKind = TARGETS[kindName];
  // Other names than those of the demo seed imply another seed.
  const data = { subscriber, otherSubscriber, workflow };
  const isDemo = Object.entries(data).every(([name, value]) => DEMO_DATA[name as keyof typeof data] === value);
  const implied = kind.can.filter((name) => isDemo || name !== "demo-seed");
  const can = [...new Set([...implied, ...(options.with ?? [])])].filter((name) => !without.includes(name));
  const demo = can.includes("demo-seed") ? DEMO_DATA : undefined;
  const ownsEnvironments = apiKey === undefined && kindName === "reference" && !options.readOnly;
  const excepted = (options.except ?? []).map((match) => ({ match, reason: "--except" }));
  return {
    ...data,
    url,
    apiKey: apiKey ?? DEFAULT_API_KEY,
    otherApiKey,
    control: ownsEnvironments ? { key: options.controlKey } : undefined,
    connection: {
      headers: toLowerCase(options.headers ?? {}),
      timeoutMs: timeout === undefined ? undefined : timeout * 1000,
    },
    can,
    isReadOnly: options.readOnly === true,
    furtherSubscribers: options.furtherSubscribers,
    listedWorkflows: options.listedWorkflows,
    configFile: options.configFile,
    declaration: options.declaration,
    except: [...(options.exceptions ?? []), ...excepted, ...kind.except],
    criticalWorkflow: options.criticalWorkflow ?? demo?.criticalWorkflow,
    unlistedWorkflows: options.unlistedWorkflows ?? demo?.unlistedWorkflows ?? [],
  };
}

const toLowerCase = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
