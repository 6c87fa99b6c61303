// The command line. Each command imports its modules in its action, so that no command waits for those of another.
import { createCommand, EXIT, fail, readManifest } from "./command.js";
import { createMockCommand } from "./mock-command.js";
import { createProxyCommand } from "./proxy-command.js";
import { createReviewCommand } from "./review-command.js";
import { createExportCommand, createResetCommand } from "./seed-commands.js";
import { createServeCommand } from "./serve-command.js";
import { createVerifyCommand } from "./verify-command.js";

// Neither a reader that closes its pipe (`| head`) nor a full disk stops a server. Incomplete output is no success.
process.stderr.on("error", () => {});
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") process.once("exit", () => (process.exitCode = EXIT.internalError));
});

await main().catch(fail);

async function main(): Promise<void> {
  hideKeys();
  const program = createCommand("notifications-contract")
    .description("Contract-first mock and reference server for subscriber preferences and notification listing.")
    .version(readManifest().version)
    .addCommand(createServeCommand())
    .addCommand(createMockCommand())
    .addCommand(createProxyCommand())
    .addCommand(createVerifyCommand())
    .addCommand(createReviewCommand())
    .addCommand(createResetCommand())
    .addCommand(createExportCommand());

  await program.parseAsync();
}

/** Every user of the machine sees arguments in the process list. */
function hideKeys(): void {
  if (process.argv.some((argument) => /^--\w+-key\b/.test(argument))) process.title = "notifications-contract";
}
