// What all commands have in common: their exit codes, and the hint after a wrong usage.
import { Command } from "commander";
import { EXIT } from "./exit.js";

export function createCommand(name: string): Command {
  return new Command(name)
    .exitOverride((error) => process.exit(error.exitCode === 0 ? EXIT.done : EXIT.wrongUsage))
    .showHelpAfterError("(--help lists the options)");
}
