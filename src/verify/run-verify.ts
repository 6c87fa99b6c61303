// `verify` as its options say: runs the suite, writes the reports, and exits. The suite itself is in verify.ts.
import { writeFile } from "node:fs/promises";
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
import { verify } from "./verify.js";
import { toTarget, type VerifyCommandOptions } from "./verify-options.js";

const EXIT_OF: Record<Verdict, number> = {
  conforms: EXIT.done,
  violates: EXIT.checkFailed,
  unknown: EXIT.wrongUsage,
  error: EXIT.internalError,
};

export async function runVerify(options: VerifyCommandOptions): Promise<never> {
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
