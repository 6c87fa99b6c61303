// `reset` restores a seed; `export` saves an environment of a running server as a seed.
import type { Command } from "commander";
import { ConfigError } from "../core/options.js";
import { DEFAULT_ENVIRONMENT } from "../core/state/environment.js";
import { parseDate } from "../server/config.js";
import {
  addressOf,
  controlKeyOption,
  createCommand,
  DEFAULT_URL,
  dataOption,
  nowOption,
  option,
  parseUrlOption,
  seedOption,
  writeResult,
} from "./command.js";

export function createResetCommand(): Command {
  return createCommand("reset")
    .description("Restore a seed in the default environment, and keep the replaced file as .bak.")
    .addOption(seedOption("the records to restore"))
    .addOption(dataOption())
    .addOption(nowOption("shift the seed's timestamps to this time instead of the current one"))
    .addHelpText("after", "\nExamples:\n  notifications-contract reset\n  notifications-contract reset --seed empty")
    .action(reset);
}

async function reset({ seed, data, now }: { seed: string; data: string; now?: string }): Promise<void> {
  const [{ loadContract }, { resetFolder }, { loadSeed }] = await Promise.all([
    import("../contract/contract.js"),
    import("./reset-folder.js"),
    import("../server/store/seed.js"),
  ]);
  const contract = await loadContract();
  const instant = now === undefined ? new Date() : parseDate("--now", now);
  const backup = await resetFolder(data, await loadSeed(seed, contract), contract, instant);
  process.stderr.write(`${data} now holds the seed ${seed}.${backup ? ` The previous state is in ${backup}.` : ""}\n`);
}

interface ExportOptions {
  url: URL;
  controlKey?: string;
  out?: string;
}

export function createExportCommand(): Command {
  return createCommand("export")
    .description("Export an environment of a running server as a seed, without its key and recorded responses.")
    .argument("[environment]", "its name", DEFAULT_ENVIRONMENT)
    .addOption(option("--url <url>", "the server").argParser(parseUrlOption).default(new URL(DEFAULT_URL), DEFAULT_URL))
    .addOption(controlKeyOption())
    .option("--out <file>", "the file to write (default: standard output)")
    .addHelpText(
      "after",
      `
Examples:
  notifications-contract export --out my-seed.json
  notifications-contract serve --seed my-seed.json`,
    )
    .action(exportEnvironment);
}

async function exportEnvironment(environment: string, { url, controlKey, out }: ExportOptions): Promise<void> {
  const { createControl } = await import("../browser/client/control.js");
  const baseUrl = addressOf(url);
  const control = createControl({ baseUrl, controlKey });
  const seed = await control.exportEnvironment(environment).catch(({ message }: Error) => {
    throw new ConfigError(`Cannot export from ${baseUrl}: ${message}`);
  });
  await writeResult(out, seed);
}
