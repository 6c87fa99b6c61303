// `serve`: the reference server.
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import { RETENTION_DAYS } from "../core/domain/notifications.js";
import { type Config, DEFAULT_CONFIG, parseDate } from "../server/config.js";
import {
  apiKeyOption,
  contractOption,
  createCommand,
  dataOption,
  hostOption,
  nowOption,
  option,
  portOption,
  STDOUT,
  seedOption,
  switchOption,
  writeResult,
} from "./command.js";
import { createLog } from "./request-logger.js";
import { acceptChildCommand, runUntilSignal } from "./run-until-signal.js";
import { findProposalFacts, formatStartJson, formatStartMessage, printStart } from "./start-message.js";

type ServerSettings = "port" | "host" | "apiKey" | "seed" | "plan" | "control" | "controlKey" | "controlOrigin";

interface ServeOptions extends Pick<Config, ServerSettings> {
  contract: string;
  watch?: true;
  data: string;
  ephemeral?: true;
  now?: string;
  checkResponses?: true;
  json?: string | true;
  quiet?: true;
}

export function createServeCommand(): Command {
  return acceptChildCommand(createCommand("serve"))
    .description("Run the reference server, which stores updates and lists notifications.")
    .addOption(portOption(DEFAULT_CONFIG.port))
    .addOption(hostOption())
    .addOption(apiKeyOption("the key of the default environment"))
    .addOption(contractOption())
    .addOption(seedOption("the initial records of a new environment"))
    .addOption(dataOption())
    .addOption(switchOption("--ephemeral", "keep the state in memory only"))
    .addOption(
      option("--plan <name>", "how many days back lists reach: free 1, pro 7, business 90, enterprise 9999")
        .choices(Object.keys(RETENTION_DAYS))
        .default(DEFAULT_CONFIG.plan),
    )
    .addOption(nowOption("freeze the server's clock at this time, such as 2026-11-02T09:00:00Z"))
    .addOption(
      switchOption("--check-responses", "check every response against the contract; an invalid one becomes a 500"),
    )
    .addOption(switchOption("--watch", "reload the contract whenever it is saved"))
    .addOption(option("--control-key <key>", "open the control plane to other machines, with this key"))
    .addOption(
      option(
        "--control-origin <origin>",
        "let pages of this origin use the control plane, such as http://localhost:5173",
      ),
    )
    .addOption(switchOption("--no-control", "run without the control plane"))
    .addOption(switchOption("--quiet", "log only warnings and errors; still print the start message"))
    .option(
      "--json [file]",
      "write the start as one line of JSON to a file; without a file, or with -, to standard output instead of " +
        "the message",
    )
    .addHelpText(
      "after",
      `
Examples:
  notifications-contract serve
  notifications-contract serve --port 0 --ephemeral --now 2026-11-02T09:00:00Z
  notifications-contract serve --ephemeral --port 0 -- npx playwright test
  NC_API_KEY=my-key notifications-contract serve --host 0.0.0.0 --plan free

The command after -- finds the addresses in NC_URL and NC_CONTROL_URL, and the
keys in NC_API_KEY and NC_CONTROL_KEY.`,
    )
    .action(serve);
}

const MADE = " (new; its .gitignore keeps it out of git)";

async function serve(childCommand: string[], options: ServeOptions, command: Command): Promise<void> {
  const { contract, data, ephemeral, now, checkResponses, watch, json, quiet, seed, ...rest } = options;
  const folder = ephemeral ? undefined : resolve(data);
  const isMade = folder !== undefined && !existsSync(folder);
  const { startServer } = await import("../start-server.js");
  const server = await startServer({
    ...rest,
    ...(command.getOptionValueSource("seed") === "default" ? {} : { seed }),
    now: now === undefined ? undefined : parseDate("--now", now),
    contractPath: contract,
    watch: watch ?? false,
    dataFolder: ephemeral ? undefined : data,
    checkResponses: checkResponses ?? false,
    log: await createLog({ isQuiet: quiet ?? false }),
  });
  const started = {
    ...server,
    hasControl: rest.control,
    facts: {
      State: folder === undefined ? "in memory only" : `${folder}${isMade ? MADE : ""}`,
      ...findProposalFacts(server.implementation),
    },
  };
  const isJsonOnStdout = json === true || json === STDOUT;
  const announce = async () => {
    if (json !== undefined && !isJsonOnStdout) await writeResult(json, formatStartJson(started, folder));
    printStart(isJsonOnStdout ? formatStartJson(started, folder) : formatStartMessage("reference server", started));
  };
  const variables = {
    NC_URL: server.url,
    NC_API_KEY: server.apiKey,
    ...(rest.control && { NC_CONTROL_URL: `${server.url}/_control`, NC_CONTROL_KEY: rest.controlKey }),
  };
  await runUntilSignal(server, announce, { command: childCommand, variables });
}
