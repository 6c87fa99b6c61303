// The command line: its commands. Each loads the modules it runs in its action, so that no command waits for those of another.
// Exit codes are in exit.ts.
import { readFileSync } from "node:fs";
import { Command } from "commander";
import { createProxyCommand } from "../proxy/proxy-command.js";
import { createReviewCommand } from "../review/review-command.js";
import { createVerifyCommand } from "../verify/verify-command.js";
import { EXIT, fail } from "./exit.js";
import { addMock } from "./mock.js";
import { addReset } from "./reset.js";
import { addServe } from "./serve.js";

// A reader that closes its pipe (`| head`, `| grep -m1`) does not stop the server.
for (const stream of [process.stdout, process.stderr]) stream.on("error", ignoreClosedPipe);

await main().catch(fail);

async function main(): Promise<void> {
  hideKeys();
  const program = new Command("notifications-contract")
    .description("Contract-first mock and reference server for subscriber preferences and notification listing.")
    .version(readVersion())
    .exitOverride((error) => process.exit(error.exitCode === 0 ? EXIT.done : EXIT.wrongUsage))
    .showHelpAfterError("(--help lists the options)");

  addServe(program);
  addMock(program);
  program.addCommand(createProxyCommand());
  program.addCommand(createVerifyCommand());
  program.addCommand(createReviewCommand());
  addReset(program);

  await program.parseAsync();
}

/** Arguments are visible in the process list to every user of the machine. */
function hideKeys(): void {
  if (process.argv.some((argument) => /^--\w+-key\b/.test(argument))) process.title = "notifications-contract";
}

function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
}

function readVersion(): string {
  return JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")).version;
}
