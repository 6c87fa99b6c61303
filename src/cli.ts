#!/usr/bin/env node
// The command line: which commands there are. Each has a file in commands/; exit.ts has the codes they end with.
import { readFileSync } from "node:fs";
import { Command } from "commander";
import { EXIT, fail } from "./commands/exit.js";
import { addMock } from "./commands/mock.js";
import { addReset } from "./commands/reset.js";
import { addServe } from "./commands/serve.js";
import { createProxyCommand } from "./proxy/proxy-command.js";
import { createReviewCommand } from "./review/review-command.js";
import { createVerifyCommand } from "./verify/verify-command.js";

// A reader that has seen enough (`| head`, `| grep -m1`) ends its pipe, not the server.
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

/** What stands on the command line is in the list of processes, for every user of the machine. */
function hideKeys(): void {
  if (process.argv.some((argument) => /^--\w+-key\b/.test(argument))) process.title = "notifications-contract";
}

function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
}

function readVersion(): string {
  return JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version;
}
