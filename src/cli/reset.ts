// `reset`: restores a seed.
import type { Command } from "commander";
import { createCommand } from "./create-command.js";
import { dataOption, nowOption, seedOption } from "./state-options.js";

interface ResetOptions {
  seed: string;
  data: string;
  now?: Date;
}

export function createResetCommand(): Command {
  return createCommand("reset")
    .description("Restore a seed in the default environment. The file it replaces is kept as .bak.")
    .addOption(seedOption())
    .addOption(dataOption())
    .addOption(nowOption())
    .addHelpText("after", "\nExamples:\n  notifications-contract reset\n  notifications-contract reset --seed empty")
    .action(reset);
}

async function reset({ seed, data, now }: ResetOptions): Promise<void> {
  const [{ loadContract }, { resetFolder }, { loadSeed }] = await Promise.all([
    import("../contract/contract.js"),
    import("../store/reset-folder.js"),
    import("../store/seed.js"),
  ]);
  const contract = await loadContract();
  const kept = await resetFolder(data, await loadSeed(seed, contract), contract, now ?? new Date());
  process.stderr.write(`${data} now holds the seed ${seed}.${kept ? ` The previous state is in ${kept}.` : ""}\n`);
}
