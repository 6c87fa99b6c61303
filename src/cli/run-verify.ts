// `verify`: runs the suite, shows the progress, stops at a signal, and writes the reports.

import { type Contract, loadContract } from "../contract/contract.js";
import { ConfigError } from "../core/options.js";
import { loadBaseline, writeBaseline } from "../tools/verify/baseline.js";
import type { Result } from "../tools/verify/case.js";
import { keysOf, redact, type Target } from "../tools/verify/declared-target.js";
import { openTransport, TargetDownError } from "../tools/verify/http-transport.js";
import { assertPreconditions, isOurs, readHealth } from "../tools/verify/preconditions.js";
import { type FailureGroup, groupFailures } from "../tools/verify/report/causes.js";
import { countOutcomes, HEADINGS, type Report, type Verdict, verdictOf } from "../tools/verify/report/report.js";
import { formatAnnotations, formatJunit, formatMarkdown, formatTerminal } from "../tools/verify/report/text.js";
import { formatPage } from "../tools/verify/report/verify-page.js";
import { verify } from "../tools/verify/verify.js";
import { describeError, EXIT, isColored, openMessages, print, writeResult } from "./command.js";
import { watchSignals } from "./run-until-signal.js";
import { buildTarget, type VerifyCommandOptions } from "./verify-target.js";

const EXIT_OF: Record<Verdict, number> = {
  incomplete: EXIT.checkFailed,
  conforms: EXIT.done,
  known: EXIT.done,
  violates: EXIT.checkFailed,
  unknown: EXIT.wrongUsage,
  error: EXIT.internalError,
};

/** Runs the command and returns its exit code. */
export async function runVerify(options: VerifyCommandOptions): Promise<number> {
  const seed = options.seed ?? Math.floor(Math.random() * 2 ** 31);
  const progress = createProgress();
  let target: Target | undefined;
  const interruption = watchInterruption(progress);
  try {
    const { only, thorough, json, junit, markdown, html } = options;
    openMessages([json, junit, markdown, html]); // fails before the run, which takes seconds
    const contract = await loadContract(options.contract);
    target = await openTarget(contract, options);
    const hooks = { onResult: progress.show, onWait: progress.wait, onStart: interruption.watch };
    const { signal } = interruption;
    const baseline = options.baseline === undefined ? undefined : loadBaseline(options.baseline);
    const report = await verify({ contract, target, seed, thorough, only, signal, baseline, ...hooks });
    progress.clear();
    report.command = findCommand();
    if (options.updateBaseline !== undefined)
      Object.assign(report, { known: await writeBaseline(options.updateBaseline, report), fixed: [] });
    await writeReports(report, options);
    const { error, code } = interruption.cause();
    if (error !== undefined) return fail(error);
    if (code !== undefined) return code;
    const verdict = verdictOf(report);
    if (verdict === "unknown") process.stderr.write(`${HEADINGS.unknown}. Check --only, --with and --without.\n`);
    return EXIT_OF[verdict];
  } catch (error) {
    return fail(error);
  } finally {
    interruption.close();
  }

  function fail(error: unknown): number {
    progress.clear();
    const { text, code } = describeError(error instanceof TargetDownError ? new ConfigError(error.message) : error);
    process.stderr.write(redact(text, target ? keysOf(target) : []));
    return code;
  }
}

/** Shows the progress of a run that takes more than a second: in place on a terminal, else as a line every 5 s. */
function createProgress() {
  const { stderr: stream } = process;
  const isTerminal = stream.isTTY === true;
  let done = 0;
  let failed = 0;
  let next = Date.now() + 1000;
  function write(toLine: () => string): void {
    if (Date.now() < next) return;
    next = Date.now() + (isTerminal ? 100 : 5000);
    stream.write(isTerminal ? `\r\x1b[2K${toLine().slice(0, (stream.columns ?? 80) - 1)}` : `${toLine()}\n`);
  }

  return {
    show({ outcome, id }: Result, total: number): void {
      done++;
      if (outcome === "fail" || outcome === "error") failed++;
      write(() => `${done}/${total}, ${failed} failed  ${id}`);
    },
    wait: (milliseconds: number): void =>
      write(() => `${done} cases done; waiting ${(milliseconds / 1000).toFixed(1)} s for the target's rate limit`),
    clear(): void {
      if (isTerminal) stream.write("\r\x1b[2K");
    },
  };
}

/** The exit codes of a run that a signal has stopped. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const;
const SIGNAL_NAMES = Object.keys(SIGNALS) as (keyof typeof SIGNALS)[];

/** Stops the run at a signal or an uncaught exception: it restores its changes, and reports. A second one exits. */
function watchInterruption(progress: ReturnType<typeof createProgress>) {
  const controller = new AbortController();
  let changes = (): string[] => [];
  let exception: unknown;
  let code: number | undefined;
  const codeOf = (reason: string) => SIGNALS[reason as keyof typeof SIGNALS] as number | undefined;
  const signals = watchSignals(SIGNAL_NAMES, {
    stop(reason) {
      progress.clear();
      code = codeOf(reason);
      process.stderr.write(
        `Stopping (${reason}): restoring what was changed. Another signal after a second stops at once.\n`,
      );
      controller.abort(`the run was interrupted (${reason})`);
    },
    force(reason) {
      progress.clear();
      process.stderr.write(`Stopped. Not restored: ${changes().join(", ") || "nothing"}.\n`);
      process.exit(codeOf(reason) ?? EXIT.internalError);
    },
  });
  // Node would exit with 1, which means a violation.
  const onError = (error: unknown) => {
    if (!signals.isStopping()) exception = error;
    signals.handle("an exception");
  };
  process.on("uncaughtException", onError);
  return {
    signal: controller.signal,
    cause: () => ({ error: exception, code }),
    watch(source: typeof changes): void {
      changes = source;
    },
    close(): void {
      process.off("uncaughtException", onError);
      signals.close();
    },
  };
}

/** A clone of this repository has no installed command: it runs its script. */
function findCommand(): string | undefined {
  const { npm_package_name: name, npm_lifecycle_event: script } = process.env;
  return name === "notifications-contract" && script === "verify" ? "npm run -s verify --" : undefined;
}

/** Recognizes the kind of the target, and checks that it has all that a run needs. */
async function openTarget(contract: Contract, options: VerifyCommandOptions): Promise<Target> {
  const transport = openTransport(buildTarget(options, "implementation"));
  try {
    const health = await readHealth(options.url, transport);
    const target = buildTarget(options, options.target ?? (isOurs(health) ? "reference" : "implementation"));
    if (!target.control) await assertPreconditions(contract, target, transport);
    return target;
  } finally {
    transport.close();
  }
}

async function writeReports(report: Report, { json, junit, markdown, html }: VerifyCommandOptions): Promise<void> {
  const files: [string | undefined, (report: Report) => string][] = [
    [json, formatJson],
    [junit, formatJunit],
    [markdown, formatMarkdown],
    [html, formatPage],
  ];
  const messages = openMessages(files.map(([path]) => path));
  if (process.env.GITHUB_ACTIONS) await print(messages, formatAnnotations(report));
  await print(messages, formatTerminal(report, isColored(messages)));
  for (const [path, toText] of files) if (path !== undefined) await writeResult(path, toText(report));
}

/** Adds verdict, counts and causes, so that programs need not compute them. */
function formatJson(report: Report): string {
  const causes = groupFailures(report).map(toJsonCause);
  const summary = { verdict: verdictOf(report), totals: countOutcomes(report), causes };
  return `${JSON.stringify({ ...summary, ...report }, null, 2)}\n`;
}

function toJsonCause({ title, severity, isKnown, first, alike, consequences }: FailureGroup): object {
  return { title, severity, isKnown, cases: [first.id, ...alike], consequences: consequences.map(toJsonCause) };
}
