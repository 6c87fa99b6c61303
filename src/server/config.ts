// The server's settings, with defaults and checks, for the command line and startServer; and the checks of the options
// of startServer and startMock.
import { isIPv4, isIPv6 } from "node:net";
import { join } from "node:path";
import { isDate } from "node:util/types";
import { isClockTime, parseInstant } from "../core/domain/clock.js";
import { type Plan, RETENTION_DAYS } from "../core/domain/notifications.js";
import { assertOptions, ConfigError, OBJECT, type OptionRule, TEXT } from "../core/options.js";

export interface Config {
  /** 0 for a free port. */
  port: number;
  host: string;
  /** Opens the default environment. */
  apiKey: string;
  /** Undefined for the package's own. */
  contractPath: string | undefined;
  /** A seed's name or file. */
  seed: string;
  /** The folder of the environments; undefined keeps them in memory. */
  dataFolder: string | undefined;
  plan: Plan;
  /** The instant at which the clock stands still; undefined lets it run. */
  now: Date | undefined;
  /** Check every response against the contract before it is sent. */
  checkResponses: boolean;
  /** Load the contract's file again after each save. */
  watch: boolean;
  control: boolean;
  /** The key of the control plane; undefined restricts it to this machine. */
  controlKey: string | undefined;
  /** The origin whose pages may use the control plane; undefined for this server's own pages alone. */
  controlOrigin: string | undefined;
}

/** Public: it opens demo data, on this machine alone. */
export const DEFAULT_API_KEY = "demo-key";

export const DEFAULT_CONFIG: Config = {
  port: 4010,
  host: "127.0.0.1",
  apiKey: DEFAULT_API_KEY,
  contractPath: undefined,
  seed: "demo",
  dataFolder: join("data", "environments"),
  plan: "enterprise",
  now: undefined,
  checkResponses: false,
  watch: false,
  control: true,
  controlKey: undefined,
  controlOrigin: undefined,
};

/** @throws ConfigError for invalid settings, or settings that exclude each other. */
export function assertConfig(config: Config): void {
  assertListening(config);
  const { plan, now, controlKey, controlOrigin } = config;
  if (!Object.hasOwn(RETENTION_DAYS, plan)) {
    throw new ConfigError(`The plan must be one of ${Object.keys(RETENTION_DAYS).join(", ")}; it is ${plan}.`);
  }
  if (now !== undefined && !(isDate(now) && Number.isFinite(now.getTime()))) throw invalidInstant("now", now);
  if (now !== undefined) assertClockTime("now", now);
  if (controlOrigin !== undefined && !(URL.canParse(controlOrigin) && new URL(controlOrigin).origin === controlOrigin))
    throw new ConfigError(
      `--control-origin must be an origin without a path, such as http://localhost:5173; it is ${controlOrigin}.`,
    );
  if (config.control && controlKey !== undefined) assertKey("control key", "NC_CONTROL_KEY", controlKey);
}

/** @throws ConfigError if the text is not an RFC 3339 timestamp. */
export function parseDate(option: string, text: string): Date {
  try {
    return assertClockTime(option, new Date(parseInstant(text)));
  } catch (error) {
    if (error instanceof RangeError) throw invalidInstant(option, text);
    throw error;
  }
}

function assertClockTime(option: string, date: Date): Date {
  if (isClockTime(date.getTime())) return date;
  throw new ConfigError(`\`${option}\` must be in the years 1000 to 8999.`);
}

function invalidInstant(option: string, value: unknown): ConfigError {
  const timestamp = "an RFC 3339 timestamp such as 2026-11-02T09:00:00Z";
  const expected = typeof value === "string" ? timestamp : `a valid Date, or ${timestamp}`;
  return new ConfigError(`\`${option}\` must be ${expected}; it is ${String(value)}.`);
}

/** True for a name or address that only this machine reaches. */
export function isLoopback(host: string): boolean {
  if (host === "localhost") return true;
  const plain = host.replace(/^::ffff:/i, "");
  return isIPv4(plain) ? plain.startsWith("127.") : isIPv6(plain) && /^(0*:)*0*1$/.test(plain);
}

/** @throws ConfigError for settings that server and mock share. */
export function assertListening({ host, port, apiKey }: Pick<Config, "host" | "port" | "apiKey">): void {
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new ConfigError(`The port must be a number from 0 to 65535; it is ${port}.`);
  }
  assertKey("API key", "NC_API_KEY", apiKey);
  if (apiKey === DEFAULT_API_KEY && !isLoopback(host)) {
    throw new ConfigError(
      `With the built-in key the server listens on this machine only, not on ${host}: everybody knows that key. ` +
        "Set another key with --api-key or NC_API_KEY.",
    );
  }
}

function assertKey(what: string, variable: string, key: string): void {
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return;
  throw new ConfigError(
    `The ${what} must be 1 to 255 printable ASCII characters without blanks; ${findProblem(key)}. Set it in ${variable}.`,
  );
}

function findProblem(key: string): string {
  if (key === "") return "it is empty";
  if (key.length > 255) return `it has ${key.length} characters`;
  if (/[\r\n]$/.test(key)) return "it ends in a line break";
  return /\s/.test(key) ? "it has a blank" : "it has a character that is none of them";
}

const SWITCH: OptionRule = ["true or false", (value: unknown) => typeof value === "boolean"];
const NUMBER: OptionRule = ["a number", (value: unknown) => typeof value === "number"];

const CHECKS = {
  port: NUMBER,
  host: TEXT,
  apiKey: TEXT,
  contractPath: TEXT,
  seed: TEXT,
  dataFolder: TEXT,
  plan: TEXT,
  now: ["a date or a string", () => true], // assertConfig says more
  checkResponses: SWITCH,
  watch: SWITCH,
  control: SWITCH,
  controlKey: TEXT,
  controlOrigin: TEXT,
  log: OBJECT,
} satisfies Record<keyof Config | "log", OptionRule>;

/**
 * Checks the names and types of the options of `startServer` and `startMock`.
 * @throws ConfigError, which suggests the nearest name for an unknown option.
 */
export function assertServerOptions(options: object): void {
  assertByTable("startServer", options, CHECKS);
}

export function assertMockOptions(options: object): void {
  const { port, host, apiKey, contractPath, log } = CHECKS;
  assertByTable("startMock", options, { port, host, apiKey, contractPath, isDynamic: SWITCH, randomSeed: NUMBER, log });
}

function assertByTable(name: string, options: object, checks: Readonly<Record<string, OptionRule>>): void {
  try {
    assertOptions(name, options, checks);
  } catch (error) {
    throw error instanceof TypeError ? new ConfigError(error.message) : error;
  }
}
