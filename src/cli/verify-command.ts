// `verify` on the command line: its options and its help. What it runs is in run-verify.ts.
import type { Command } from "commander";
import { ConfigError } from "../server/config.js";
import { CAPABILITIES, TARGETS } from "../tools/verify/target.js";
import { createCommand } from "./command.js";
import { createTargetOptions, createVerifyOptions, type VerifyCommandOptions } from "./verify-options.js";

export function createVerifyCommand(): Command {
  const command = createCommand("verify").description(
    "Test any server against the contract: its examples, each keyword, random requests, and the laws of the operations.",
  );
  for (const option of [...createVerifyOptions(), ...createTargetOptions()]) command.addOption(option);
  return command.addHelpText("after", HELP).action(run);
}

const HELP = `
Exit codes: 0 the target conforms to the contract, 1 it violates it, 2 wrong usage, no server at the URL, or something is missing there,
3 the suite itself failed.

Examples:
  notifications-contract verify --url http://127.0.0.1:4010
  notifications-contract verify --url http://127.0.0.1:4020 --target mock
  NC_API_KEY=my-key NC_OTHER_API_KEY=other-key notifications-contract verify --url https://notify.example \\
    --subscriber ada --other-subscriber grace --workflow welcome --junit verify.xml --html verify.html
  notifications-contract verify --url http://127.0.0.1:4010 --only D-24 --only query.limit --seed 7

Without --target, our own server is recognized by the digest of its contract at /health; the mock needs --target mock.
Capabilities follow from the kind, --with and --without: cases that need others are not applicable.
Before the run, the address, the keys, the subscribers and the workflow are checked; what is missing is one message.
Without --api-key, it creates temporary environments on a reference server and deletes them afterwards.

Options that describe the target, as verify.config.json can:
${createTargetOptions()
  .map(({ long = "", description }) => `  ${long.padEnd(20)} ${description}`)
  .join("\n")}

Capabilities:
${Object.entries(CAPABILITIES)
  .map(([name, text]) => `  ${name.padEnd(14)} ${text}`)
  .join("\n")}

Targets:
${Object.entries(TARGETS)
  .map(([name, { can }]) => `  ${name.padEnd(14)} ${can.join(", ")}`)
  .join("\n")}

In what the target service may differ from the contract:
${TARGETS.service.except.map(({ match, reason }) => `  ${match.padEnd(6)} ${reason}`).join("\n")}`;

async function run(given: VerifyCommandOptions, command: Command): Promise<void> {
  const { applyConfigFile } = await import("./verify-config.js"); // here, as below: it loads a validator
  const options = applyConfigFile(given, (name) => ["cli", "env"].includes(command.getOptionValueSource(name) ?? ""));
  if (!options.url)
    throw new ConfigError('verify needs the target\'s address: --url, NC_URL, or "url" in verify.config.json.');
  const { runVerify } = await import("./run-verify.js"); // here, so that no other command waits for it
  process.exit(await runVerify(options));
}
