// verify.config.json, which describes a target. What it sets, options and variables override.

import { existsSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import ajvFormats from "ajv-formats";
import { readJson } from "../cli/command.js";
import { ConfigError } from "../config.js";
import { toViolations } from "../contract/violation.js";
import type { Exception } from "./target.js";
import { toUrl, type VerifyCommandOptions } from "./verify-options.js";

const CONFIG_FILE = "verify.config.json";
const SCHEMA_PATH = new URL("../../src/verify/verify.config.schema.json", import.meta.url);

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
  const file = load<ConfigFile>(path, "#");
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

/**
 * Reads a file with a list of `{ "match": …, "reason": …, "until": … }`.
 * @throws ConfigError
 */
export const loadExceptions = (path: string): Exception[] => load(path, "#/properties/exceptions");

/** @param part of the schema, which the file is held to. */
function load<T>(path: string, part: string): T {
  const value = readJson(path);
  const schema = { ...JSON.parse(readFileSync(SCHEMA_PATH, "utf8")), $id: "config" };
  const ajv = new Ajv2020({ strict: false, allErrors: true }).addSchema(schema);
  ajvFormats.default(ajv, { mode: "full", formats: ["date"] }); // a fast one lets February 31 pass
  const violations = toViolations(ajv.compile({ $ref: `config${part}` }), value, "file");
  if (violations.length === 0) return value as T;
  const lines = violations.map(({ location, message }) => `  ${location} ${message}`);
  throw new ConfigError([`${path} is not what its schema allows:`, ...lines].join("\n"));
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
