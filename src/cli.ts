#!/usr/bin/env node
// The command line: arguments, signals and exit codes (0 done, 1 a check failed, 2 wrong usage, 3 internal error).
import { readFileSync } from "node:fs";
import { Command, InvalidArgumentError, Option } from "commander";
import pino, { type Logger } from "pino";
import { ConfigError, DEFAULT_CONFIG } from "./config.js";
import { loadContract } from "./contract/contract.js";
import { ContractError } from "./contract/contract-file.js";
import { type Plan, RETENTION_DAYS } from "./domain/plan.js";
import { PortInUseError, startServer } from "./server.js";
import { BrokenEnvironmentError } from "./store/environment-file.js";
import { FolderInUseError } from "./store/folder-lock.js";
import { loadSeed, SEED_NAMES } from "./store/seed.js";
import { resetFolder } from "./store/store.js";
import { toWelcome } from "./welcome.js";

const EXIT = { done: 0, wrongUsage: 2, internalError: 3 } as const;

interface ServeOptions {
  port: number;
  host: string;
  apiKey: string;
  seed: string;
  data: string;
  ephemeral?: true;
  plan: Plan;
  now?: Date;
  checkResponses?: true;
}

const program = new Command("notifications-contract")
  .description("Contract-first mock and reference server for subscriber preferences and notification listing.")
  .version(readVersion())
  .exitOverride((error) => process.exit(error.exitCode === 0 ? EXIT.done : EXIT.wrongUsage))
  .showHelpAfterError("(--help lists the options)");

const seedOption = () =>
  new Option("--seed <name|file>", `what a new environment starts from: ${SEED_NAMES.join(", ")} or a file`)
    .env("NC_SEED")
    .default(DEFAULT_CONFIG.seed);
const dataOption = () =>
  new Option("--data <folder>", "where the environments are kept").env("NC_DATA").default(DEFAULT_CONFIG.dataFolder);
const nowOption = () =>
  new Option("--now <instant>", "the clock stands still at this instant (RFC 3339)").env("NC_NOW").argParser(toInstant);

program
  .command("serve", { isDefault: true })
  .description("Run the reference server.")
  .addOption(new Option("--port <number>", "0 takes a free one").env("NC_PORT").default(4010).argParser(toPort))
  .addOption(new Option("--host <address>", "where to listen").env("NC_HOST").default(DEFAULT_CONFIG.host))
  .addOption(
    new Option("--api-key <key>", "the key of the default environment")
      .env("NC_API_KEY")
      .default(DEFAULT_CONFIG.apiKey),
  )
  .addOption(seedOption())
  .addOption(dataOption())
  .addOption(new Option("--ephemeral", "keep nothing on disk").env("NC_EPHEMERAL"))
  .addOption(
    new Option("--plan <name>", "the subscription plan that is simulated")
      .env("NC_PLAN")
      .choices(Object.keys(RETENTION_DAYS))
      .default(DEFAULT_CONFIG.plan),
  )
  .addOption(nowOption())
  .addOption(
    new Option("--check-responses", "check every answer against the contract; a wrong one becomes a 500").env(
      "NC_CHECK_RESPONSES",
    ),
  )
  .addHelpText(
    "after",
    `
Examples:
  notifications-contract serve
  notifications-contract serve --port 0 --ephemeral --now 2026-11-02T09:00:00Z
  NC_API_KEY=my-key notifications-contract serve --host 0.0.0.0 --plan free`,
  )
  .action(serve);

program
  .command("reset")
  .description("Put the default environment back to a seed. The file it replaces is kept as .bak.")
  .addOption(seedOption())
  .addOption(dataOption())
  .addOption(nowOption())
  .addHelpText("after", "\nExamples:\n  notifications-contract reset\n  notifications-contract reset --seed empty")
  .action(async ({ seed, data, now }: Pick<ServeOptions, "seed" | "data" | "now">) => {
    const contract = await loadContract();
    const kept = await resetFolder(data, await loadSeed(seed, contract), contract, now ?? new Date());
    process.stderr.write(`${data} is back to the seed ${seed}.${kept ? ` The state before is in ${kept}.` : ""}\n`);
  });

await program.parseAsync().catch(fail);

async function serve(options: ServeOptions): Promise<void> {
  const { data, ephemeral, now, checkResponses, ...rest } = options;
  const server = await startServer({
    ...rest,
    now,
    dataFolder: ephemeral ? undefined : data,
    checkResponses: checkResponses ?? false,
    log: await createLog(),
  });
  process.stdout.write(toWelcome(server, ephemeral ? undefined : data));
  let isStopping = false;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      if (isStopping) process.exit(EXIT.internalError); // the second signal: at once
      isStopping = true;
      process.stderr.write("Stopping: answering what is under way. Once more stops at once.\n");
      server.close().then(() => process.exit(EXIT.done), fail);
    });
  }
}

/** One JSON line a request where a program reads, a readable one on a terminal. */
async function createLog(): Promise<Logger> {
  if (!process.stderr.isTTY) return pino(pino.destination(2));
  const { default: pretty } = await import("pino-pretty");
  const ignore = "pid,hostname,requestId,environment,ms";
  return pino(pretty({ destination: 2, ignore, translateTime: "HH:MM:ss", messageFormat: "{msg} {ms} ms" }));
}

function fail(error: unknown): never {
  const isExpected = [ConfigError, ContractError, BrokenEnvironmentError, FolderInUseError, PortInUseError].some(
    (kind) => error instanceof kind,
  );
  process.stderr.write(isExpected ? `${(error as Error).message}\n` : `internal error: ${(error as Error).stack}\n`);
  process.exit(isExpected ? EXIT.wrongUsage : EXIT.internalError);
}

function toPort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError("It must be a number from 0 to 65535.");
  return port;
}

function toInstant(text: string): Date {
  const instant = new Date(text);
  if (!/^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/i.test(text) || Number.isNaN(instant.getTime())) {
    throw new InvalidArgumentError("It must be an RFC 3339 timestamp such as 2026-11-02T09:00:00Z.");
  }
  return instant;
}

function readVersion(): string {
  return JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version;
}
