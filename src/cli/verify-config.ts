// verify.config.json, which describes a target. What it sets, options and variables override.
import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { ConfigError } from "../server/config.js";
import type { Exception } from "../tools/exceptions.js";
import { loadExceptions, loadValid } from "../tools/exceptions.js";
import { CONFIG_FILE, toUrl, type VerifyCommandOptions } from "./verify-options.js";

interface ConfigFile {
  $schema?: string;
  url?: string;
  keys?: Partial<Record<"apiKey" | "otherApiKey" | "controlKey", string>>;
  subscribers?: string[];
  workflows?: { identifier: string; channels?: string[] }[];
  exceptions?: Exception[];
  headers?: Record<string, string>;
  ca?: string;
}

/**
 * The options with what the file sets and nothing else does, and the exceptions of both files. Without `path`, a file of the usual name is read where there is one.
 * @param isSet whether an option comes from the command line or a variable.
 * @throws ConfigError
 */
export function applyConfigFile(options: VerifyCommandOptions, isSet: (name: string) => boolean): VerifyCommandOptions {
  const listedExceptions = options.exceptions === undefined ? [] : loadExceptions(options.exceptions);
  const path = options.config ?? (existsSync(CONFIG_FILE) ? CONFIG_FILE : undefined);
  if (path === undefined) return { ...options, listedExceptions };
  const file = loadValid<ConfigFile>(path, "#");
  const { $schema: _schema, url, keys = {}, subscribers, workflows, exceptions = [], headers, ca, ...rest } = file;
  const [subscriber, otherSubscriber, ...furtherSubscribers] = subscribers ?? [];
  const set = {
    ...rest,
    url: url === undefined ? undefined : parseUrl(path, url),
    ...Object.fromEntries(Object.entries(keys).map(([name, variable]) => [name, readVariable(path, variable)])),
    ...{ subscriber, otherSubscriber, furtherSubscribers },
    workflow: workflows?.[0]?.identifier,
    workflowChannels: workflows?.[0]?.channels,
    listedWorkflows: workflows,
    listedExceptions: [...exceptions, ...listedExceptions],
    header: headers && Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
    ca: ca === undefined ? undefined : resolve(dirname(path), ca),
  };
  const applied = Object.entries(set).filter(([name, value]) => value !== undefined && !isSet(name));
  return { ...options, ...Object.fromEntries(applied) };
}

function parseUrl(path: string, text: string): URL {
  try {
    return toUrl(text);
  } catch (error) {
    throw new ConfigError(`${path}: file.url ${(error as Error).message}`);
  }
}

function readVariable(path: string, name: string): string {
  const value = process.env[name];
  if (!value) throw new ConfigError(`${path} names the variable ${name}, which is not set. Set it to the key.`);
  return value;
}
