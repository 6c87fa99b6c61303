// `serve`: the reference server.
import { resolve } from "node:path";
import type { Command } from "commander";
import { type Plan, RETENTION_DAYS } from "../core/domain/notifications.js";
import { DEFAULT_CONFIG, toDate } from "../server/config.js";
import { createCommand, STDOUT, writeResult } from "./command.js";
import {
  apiKeyOption,
  contractOption,
  dataOption,
  hostOption,
  nowOption,
  option,
  portOption,
  removedOption,
  seedOption,
  switchOption,
} from "./options.js";
import { createLog } from "./request-logger.js";
import { acceptChildCommand, runUntilSignal } from "./run-until-signal.js";
import { printStart, toProposalFacts, toStartJson, toStartMessage } from "./start-message.js";

interface ServeOptions {
  contract: string;
  watch?: true;
  port: number;
  host: string;
  apiKey: string;
  seed: string;
  data: string;
  ephemeral?: true;
  plan: Plan;
  now?: string;
  checkResponses?: true;
  control: boolean;
  controlKey?: string;
  json?: string | true;
  quiet?: true;
}

export function createServeCommand(): Command {
  return acceptChildCommand(createCommand("serve"))
    .description("Run the reference server.")
    .addOption(portOption(DEFAULT_CONFIG.port))
    .addOption(hostOption())
    .addOption(apiKeyOption("the key of the default environment"))
    .addOption(contractOption())
    .addOption(seedOption("the initial records of a new environment"))
    .addOption(dataOption())
    .addOption(switchOption("--ephemeral", "keep nothing on disk"))
    .addOption(
      option("--plan <name>", "the simulated subscription plan")
        .choices(Object.keys(RETENTION_DAYS))
        .default(DEFAULT_CONFIG.plan),
    )
    .addOption(
      removedOption("--rate-limit <plan>", 'add the fault {"preset": "rate-limited"} to an environment instead'),
    )
    .addOption(nowOption("freeze the server's clock at this time, such as 2026-11-02T09:00:00Z"))
    .addOption(
      switchOption("--check-responses", "check every response against the contract; an invalid one becomes a 500"),
    )
    .addOption(switchOption("--watch", "reload the contract whenever it is saved"))
    .addOption(option("--control-key <key>", "open the control plane to other machines, with this key"))
    .addOption(switchOption("--no-control", "serve no control plane"))
    .addOption(switchOption("--quiet", "log only warnings and errors; still print the start message"))
    .option(
      "--json [file]",
      "write the start as one line of JSON: url, pages, folder, and the built-in apiKey; without a file, or with -, instead of the message",
    )
    .addHelpText(
      "after",
      `
Examples:
  notifications-contract serve
  notifications-contract serve --port 0 --ephemeral --now 2026-11-02T09:00:00Z
  notifications-contract serve --ephemeral -- npx playwright test
  NC_API_KEY=my-key notifications-contract serve --host 0.0.0.0 --plan free`,
    )
    .action(serve);
}

async function serve(childCommand: string[], options: ServeOptions, command: Command): Promise<void> {
  const { contract, data, ephemeral, now, checkResponses, watch, json, quiet, seed, ...rest } = options;
  const { startServer } = await import("../server/server.js");
  const server = await startServer({
    ...rest,
    ...(command.getOptionValueSource("seed") === "default" ? {} : { seed }),
    now: now === undefined ? undefined : toDate("--now", now),
    contractPath: contract,
    watch: watch ?? false,
    dataFolder: ephemeral ? undefined : data,
    checkResponses: checkResponses ?? false,
    log: await createLog({ isQuiet: quiet ?? false }),
  });
  const folder = ephemeral ? undefined : resolve(data);
  const started = {
    ...server,
    hasControl: rest.control,
    facts: { State: folder ?? "in memory only", ...toProposalFacts(server.proposal) },
  };
  const isJsonOnStdout = json === true || json === STDOUT;
  const announce = async () => {
    if (json !== undefined && !isJsonOnStdout) await writeResult(json, toStartJson(started, folder));
    printStart(isJsonOnStdout ? toStartJson(started, folder) : toStartMessage("reference server", started));
  };
  await runUntilSignal(server, announce, childCommand);
}
