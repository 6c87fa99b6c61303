// `verify`: the contract tests on the command line. They run in verify.ts.
import { writeFile } from "node:fs/promises";
import { Command } from "commander";
import { EXIT } from "../cli/exit.js";
import { loadContract } from "../contract/contract.js";
import { ContractError } from "../contract/contract-file.js";
import { TargetDownError } from "./http-transport.js";
import { createProgress } from "./progress.js";
import { keysOf, redact } from "./redact-report.js";
import { toHtml } from "./report/html.js";
import { toJunit } from "./report/junit.js";
import { toMarkdown } from "./report/markdown.js";
import { toTerminal } from "./report/terminal.js";
import { countOutcomes, HEADINGS, type Report, type Verdict, verdictOf } from "./report.js";
import { CAPABILITIES, TARGETS } from "./target.js";
import { verify } from "./verify.js";
import { addVerifyOptions, toTarget, type VerifyCommandOptions } from "./verify-options.js";

const EXIT_OF: Record<Verdict, number> = {
  conforms: EXIT.done,
  violates: EXIT.checkFailed,
  unknown: EXIT.wrongUsage,
  error: EXIT.internalError,
};

export function createVerifyCommand(): Command {
  const command = new Command("verify")
    .description(
      "Test any server against the contract: its examples, each keyword, random requests, and the laws of the operations.",
    )
    .exitOverride((error) => process.exit(error.exitCode === 0 ? EXIT.done : EXIT.wrongUsage))
    .showHelpAfterError("(--help lists the options)");
  return addVerifyOptions(command).addHelpText("after", HELP).action(run);
}

const HELP = `
Capabilities:
${Object.entries(CAPABILITIES)
  .map(([name, text]) => `  ${name.padEnd(14)} ${text}`)
  .join("\n")}

Targets:
${Object.entries(TARGETS)
  .map(([name, { can }]) => `  ${name.padEnd(14)} ${can.join(", ")}`)
  .join("\n")}

Capabilities are declared, never detected: cases that need others are not applicable.
Without --api-key, it creates temporary environments on a reference server and deletes them afterwards.

Exit codes: 0 the target conforms to the contract, 1 it violates it, 2 wrong usage or no server at the URL,
3 the suite itself failed.

Examples:
  notifications-contract verify --url http://127.0.0.1:4010
  notifications-contract verify --url http://127.0.0.1:4011 --target mock
  NC_API_KEY=my-key notifications-contract verify --url https://notify.example --without prefer,demo-seed,exact-headers \\
    --subscriber ada --other-subscriber grace --workflow welcome --junit verify.xml --html verify.html
  notifications-contract verify --url http://127.0.0.1:4010 --only D-24 --only query.limit --seed 7`;

async function run(options: VerifyCommandOptions): Promise<never> {
  const target = toTarget(options);
  const seed = options.seed ?? Math.floor(Math.random() * 2 ** 31);
  const progress = createProgress(process.stderr);
  process.once("uncaughtException", end); // Node alone would exit with 1, which stands for a violation
  try {
    const { only, time, concurrency } = options;
    const contract = await loadContract(options.contract);
    const report = await verify({
      contract,
      target,
      seed,
      time,
      concurrency,
      ...(only ? { only } : {}),
      onResult: progress.show,
    });
    progress.clear();
    await writeReports(report, options);
    const verdict = verdictOf(report);
    if (verdict === "unknown") {
      process.stderr.write(`${HEADINGS.unknown}. Check --only, --with and --without.\n`);
    }
    process.exit(EXIT_OF[verdict]);
  } catch (error) {
    return end(error);
  }

  function end(error: unknown): never {
    progress.clear();
    const isExpected =
      error instanceof TargetDownError || error instanceof ContractError || error instanceof UnwritableError;
    const message = isExpected ? error.message : `internal error: ${(error as Error).stack}`;
    process.stderr.write(`${redact(message, keysOf(target))}\n`);
    process.exit(isExpected ? EXIT.wrongUsage : EXIT.internalError);
  }
}

async function writeReports(report: Report, { json, junit, markdown, html }: VerifyCommandOptions): Promise<void> {
  const files: [string | undefined, () => string][] = [
    [json, () => `${JSON.stringify({ totals: countOutcomes(report), ...report }, null, 2)}\n`],
    [junit, () => toJunit(report)],
    [markdown, () => toMarkdown(report)],
    [html, () => toHtml(report)],
  ];
  const isDataOnStdout = files.some(([path]) => path === STDOUT);
  const stream = isDataOnStdout ? process.stderr : process.stdout;
  await print(stream, toTerminal(report, stream.isTTY === true && !process.env.NO_COLOR));
  for (const [path, toText] of files) {
    if (path === STDOUT) await print(process.stdout, toText());
    else if (path !== undefined) await writeFile(path, toText()).catch(rejectFile);
  }
}

const STDOUT = "-";

/** Settles when the text is written, since the process exits right after; also when the reader has gone. */
function print(stream: NodeJS.WriteStream, text: string): Promise<void> {
  stream.once("error", () => {});
  return new Promise((resolve) => stream.write(text, () => resolve()));
}

class UnwritableError extends Error {}

function rejectFile(error: Error): never {
  throw new UnwritableError(`The report cannot be written: ${error.message}`);
}
