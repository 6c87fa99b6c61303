// The options of startServer and startMock, by name and type. Apart from config.ts, so that the command line, which has checks of its
// own, does not load it. What their values may be is in config.ts.

import { assertOptions, type Check, OBJECT, TEXT } from "../core/domain/options.js";
import { type Config, ConfigError } from "./config.js";

const SWITCH: Check = ["true or false", (value: unknown) => typeof value === "boolean"];
const NUMBER: Check = ["a number", (value: unknown) => typeof value === "number"];

const CHECKS = {
  port: NUMBER,
  host: TEXT,
  apiKey: TEXT,
  contractPath: TEXT,
  seed: TEXT,
  dataFolder: TEXT,
  plan: TEXT,
  now: ["a date or a text", () => true], // assertConfig says more
  checkResponses: SWITCH,
  watch: SWITCH,
  control: SWITCH,
  controlKey: TEXT,
  log: OBJECT,
} satisfies Record<keyof Config | "log", Check>;

/**
 * Checks the names and types of the options of `startServer` and `startMock`.
 * @throws ConfigError, with the nearest name for one that does not exist: it would have no effect, and nobody would know.
 */
export function assertServerOptions(options: object): void {
  if ("rateLimit" in options)
    throw new ConfigError(
      'startServer: `rateLimit` is gone: add the fault {"preset": "rate-limited"} to an environment instead.',
    );
  assertByTable("startServer", options, CHECKS);
}

export function assertMockOptions(options: object): void {
  const { port, host, apiKey, contractPath, log } = CHECKS;
  assertByTable("startMock", options, { port, host, apiKey, contractPath, isDynamic: SWITCH, seed: NUMBER, log });
}

function assertByTable(name: string, options: object, checks: Readonly<Record<string, Check>>): void {
  try {
    assertOptions(name, options, checks);
  } catch (error) {
    throw error instanceof TypeError ? new ConfigError(error.message) : error;
  }
}
