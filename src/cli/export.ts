// `export`: an environment of a running server as a seed.
import type { Command } from "commander";
import { ConfigError, DEFAULT_CONFIG } from "../config.js";
import { DEFAULT_ENVIRONMENT } from "../store/environment.js";
import { createCommand, writeResult } from "./command.js";
import { controlKeyOption } from "./options.js";

interface ExportOptions {
  url: string;
  controlKey?: string;
  out?: string;
}

export function createExportCommand(): Command {
  return createCommand("export")
    .description("Export an environment of a running server as a seed file. Key and recorded responses are left out.")
    .argument("[environment]", "its name", DEFAULT_ENVIRONMENT)
    .option("--url <url>", "the server", `http://${DEFAULT_CONFIG.host}:${DEFAULT_CONFIG.port}`)
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
  const { createControl } = await import("../client/control.js");
  const control = createControl({ baseUrl: url, ...(controlKey === undefined ? {} : { controlKey }) });
  const seed = await control.exportEnvironment(environment).catch(({ message, cause }: Error) => {
    // No server, environment or access: what the user can change.
    throw new ConfigError(`Nothing exported from ${url}: ${(cause instanceof Error && cause.message) || message}`);
  });
  await writeResult(out, seed);
}
