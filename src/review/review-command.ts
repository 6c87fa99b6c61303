// `notifications-contract review`: its options, what it writes where, and the exit code.
import { writeFile } from "node:fs/promises";
import { styleText } from "node:util";
import { Command, InvalidArgumentError, Option } from "commander";
import { assertPeers } from "../cli/assert-peers.js";
import { EXIT } from "../cli/exit.js";
import { ConfigError } from "../config.js";
import { CONTRACT_PATH } from "../contract/contract-file.js";

interface ReviewCommandOptions {
  contract: string;
  base?: string;
  html?: string;
  markdown?: string;
  json?: string;
  allow: Map<string, string>;
}

/** The command, to be added to the program. It rejects with what `reviewContract` throws. */
export function createReviewCommand(): Command {
  return new Command("review")
    .description(
      "Judge the contract, and what changed in it: what breaks whom, and is each promise sourced, shown and tested?",
    )
    .exitOverride((error) => process.exit(error.exitCode === 0 ? EXIT.done : EXIT.wrongUsage))
    .showHelpAfterError("(--help lists the options)")
    .addOption(
      new Option("--base <reference>", "what to compare with: a file, or a git branch, tag or commit").env("NC_BASE"),
    )
    .addOption(
      new Option("--contract <file>", "the contract to review")
        .env("NC_CONTRACT")
        .default(CONTRACT_PATH, "this package's"),
    )
    .addOption(new Option("--html <file>", "write the report as one page that needs nothing else"))
    .addOption(new Option("--markdown <file>", "write it for a comment on a pull request"))
    .addOption(new Option("--json <file>", "write it for programs"))
    .addOption(
      new Option("--allow <id=reason>", "accept what would be a reason to say no; may be repeated")
        .argParser(toAllowances)
        .default(new Map(), "nothing"),
    )
    .addHelpText(
      "after",
      `
A summary goes to the standard output. It names each reason to say no with its id, for --allow.
Exit codes: 0 nothing stands against the contract, 1 something does, 2 wrong usage, 3 the review itself broke.

Examples:
  notifications-contract review
  notifications-contract review --base main --html review.html --markdown review.md
  notifications-contract review --base v1.0.0 --allow 'listNotifications:request:query.limit:maximum=agreed with all teams, #42'`,
    )
    .action(review);
}

async function review({
  contract: contractPath,
  html,
  markdown,
  json,
  ...options
}: ReviewCommandOptions): Promise<void> {
  assertPeers("review");
  // Loaded here and not above: the linter and the TypeScript compiler take a second that other commands need not wait.
  const [{ reviewContract }, { toHtmlPage }, { toMarkdown }, { toTerminal }] = await Promise.all([
    import("./review.js"),
    import("./report/html-page.js"),
    import("./report/markdown.js"),
    import("./report/terminal.js"),
  ]);
  const onStep = (step: string) => process.stderr.isTTY && process.stderr.write(`${step} …\n`);
  const { review: found, contract } = await reviewContract({ ...options, contractPath, onStep });
  if (html !== undefined) await write(html, toHtmlPage(found, contract));
  if (markdown !== undefined) await write(markdown, toMarkdown(found));
  if (json !== undefined) await write(json, `${JSON.stringify(found, null, 2)}\n`);
  for (const id of found.unusedAllowances) process.stderr.write(`--allow ${id}: the review has no such reason.\n`);
  const isColoured = process.stdout.isTTY && !process.env.NO_COLOR;
  process.stdout.write(toTerminal(found, isColoured ? styleText : (_style, text) => text));
  process.exitCode = found.verdict === "yes" ? EXIT.done : EXIT.checkFailed;
}

async function write(path: string, text: string): Promise<void> {
  await writeFile(path, text).catch((error: Error) => {
    throw new ConfigError(`${path} cannot be written: ${error.message}`);
  });
}

function toAllowances(text: string, before: Map<string, string>): Map<string, string> {
  const [id = "", ...words] = text.split("=");
  const reason = words.join("=").trim();
  if (id === "" || reason === "")
    throw new InvalidArgumentError("It must be <id>=<reason>; the report shows the reason.");
  return new Map(before).set(id, reason);
}
