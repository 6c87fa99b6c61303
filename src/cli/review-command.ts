// `review`: options, reports and exit code.
import { setFlagsFromString } from "node:v8";
import { type Command, InvalidArgumentError, Option } from "commander";
import type { Acceptance } from "../tools/review/acceptances.js";
import { contractOption, createCommand, EXIT, isColored, openMessages, writeResult } from "./command.js";

interface ReviewCommandOptions {
  contract: string;
  base?: string;
  html?: string;
  markdown?: string;
  json?: string;
  allow?: Acceptance[];
  acceptances?: string;
  policy?: "strict" | "tolerant";
  rules?: boolean;
}

export function createReviewCommand(): Command {
  return createCommand("review")
    .description("Review the contract and its changes: what breaks, and for whom.")
    .addOption(
      new Option("--base <reference>", "the contract to compare with: a file, or a git branch, tag or commit").env(
        "NC_BASE",
      ),
    )
    .addOption(contractOption("the contract to review"))
    .option("--html <file>", "write the report as a self-contained HTML page; as with the others, - is standard output")
    .option("--markdown <file>", "write the report as a comment for a pull request")
    .option("--json <file>", "write the report as JSON")
    .addOption(
      new Option("--allow <id=justification>", "accept a reason to reject the change; may be repeated").argParser(
        parseAllowances,
      ),
    )
    .option(
      "--acceptances <file>",
      `reasons that your team accepts: a list of {"match", "reason", "until"} (default: review.acceptances.json, ` +
        "if it exists)",
    )
    .addOption(
      new Option("--policy <policy>", "tolerant: a new member of a response breaks no client").choices([
        "strict",
        "tolerant",
      ]),
    )
    .option("--rules", "print who breaks by which change of which keyword, and exit")
    .addHelpText(
      "after",
      `
The first line is the verdict. The last part has the --allow option of each
reason.
Exit codes: 0 accept, 1 reject, 2 wrong usage, 3 internal error.

Examples:
  notifications-contract review
  notifications-contract review --base main --html review.html \\
    --markdown review.md
  notifications-contract review --base v1.0.0 \\
    --allow 'listNotifications:request:query.limit:maximum=agreed with all teams, #42'`,
    )
    .action(runReview);
}

async function runReview(options: ReviewCommandOptions): Promise<void> {
  const { contract: contractPath, html, markdown, json } = options;
  if (options.rules) {
    const { formatRules } = await import("../tools/review/report/review-report.js");
    process.stdout.write(formatRules());
    return;
  }
  tuneV8();
  const messages = openMessages([html, markdown, json]);
  // Imported here, so that no other command waits for it.
  const [{ reviewContract }, { formatHtml, formatMarkdown, formatTerminal }, { loadAcceptances }] = await Promise.all([
    import("../tools/review/review.js"),
    import("../tools/review/report/review-report.js"),
    import("../tools/review/acceptances.js"),
  ]);
  const acceptances = [...(options.allow ?? []), ...loadAcceptances(options.acceptances)];
  const review = await reviewContract({ ...options, contractPath, acceptances });
  for (const text of review.unusedAcceptances) process.stderr.write(`${text} matches no reason.\n`);
  messages.write(formatTerminal(review, isColored(messages)));
  if (html !== undefined) await writeResult(html, formatHtml(review));
  if (markdown !== undefined) await writeResult(markdown, formatMarkdown(review));
  if (json !== undefined) await writeResult(json, `${JSON.stringify(review, null, 2)}\n`);
  process.exitCode = review.verdict === "accept" ? EXIT.done : EXIT.checkFailed;
}

/**
 * Settings of V8 for a command of two seconds; each version knows its own. V8 optimises what has run for a while:
 * compiling that costs a quarter, and gains nothing here. Since Node 22, V8 optimises at less cost, but lets new
 * objects fill up to 60 MB more.
 */
const V8_FLAGS: Readonly<Record<string, string>> = {
  20: "--interrupt-budget=2000000", // thirty times the default
  22: "--semi-space-growth-factor=1",
  24: "--semi-space-growth-factor=1",
  26: "--semi-space-growth-factor=1",
};

function tuneV8(): void {
  const [major = ""] = process.versions.node.split(".");
  const flag = V8_FLAGS[major];
  if (flag !== undefined) setFlagsFromString(flag);
}

function parseAllowances(text: string, before: Acceptance[] = []): Acceptance[] {
  const [id = "", ...rest] = text.split("=");
  const justification = rest.join("=").trim();
  if (id === "" || justification === "")
    throw new InvalidArgumentError("It must be <id>=<why you accept it>; the report shows the id.");
  if (justification === "<why>") throw new InvalidArgumentError("Write why you accept it in place of <why>.");
  return [...before.filter(({ match }) => match !== id), { match: id, reason: justification, isWhole: true }];
}
