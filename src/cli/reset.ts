// `reset`: restores a seed.
import type { Command } from "commander";
import { toDate } from "../config.js";
import { createCommand } from "./command.js";
import { dataOption, nowOption, seedOption } from "./options.js";

interface ResetOptions {
  seed: string;
  data: string;
  now?: string;
}

export function createResetCommand(): Command {
  return createCommand("reset")
    .description("Restore a seed in the default environment. The file it replaces is kept as .bak.")
    .addOption(seedOption("the records to restore"))
    .addOption(dataOption())
    .addOption(nowOption("shift the seed's timestamps to this time instead of the current one"))
    .addHelpText("after", "\nExamples:\n  notifications-contract reset\n  notifications-contract reset --seed empty")
    .action(reset);
}

async function reset({ seed, data, now }: ResetOptions): Promise<void> {
  const [{ loadContract }, { resetFolder }, { loadSeed }] = await Promise.all([
    import("../contract/contract.js"),
    import("../store/reset-folder.js"),
    import("../store/seeds/seed.js"),
  ]);
  const contract = await loadContract();
  const instant = now === undefined ? new Date() : toDate("--now", now);
  const backup = await resetFolder(data, await loadSeed(seed, contract), contract, instant);
  process.stderr.write(`${data} now holds the seed ${seed}.${backup ? ` The previous state is in ${backup}.` : ""}\n`);
}
