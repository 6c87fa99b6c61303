// The contract tests as a function: runs the cases and returns a report. case-run.ts runs a single one.
import { setMaxListeners } from "node:events";
import { mapDefined } from "../../contract/lists.js";
import { joinSignals } from "../../core/domain/clock.js";
import { findCitedRules } from "../citation-titles.js";
import { isInForce } from "../exceptions.js";
import type { Case, Result } from "./case.js";
import { createNotApplicable, isSelected, runCase } from "./case-run.js";
import { keysOf, redact, type Target } from "./declared-target.js";
import { citationsOf, type Report } from "./report/report.js";
import { openSession, type SessionOptions } from "./session.js";
import { createSuite } from "./suite.js";

export interface VerifyOptions extends Omit<SessionOptions, "random" | "signal"> {
  /** Only cases whose name or citation contains one of these texts. */
  only?: readonly string[] | undefined;
  /** Failures that are known, by fingerprint. */
  baseline?: readonly string[] | undefined;
  seed: number;
  /** How many random values each random case tries. */
  runs?: number;
  /** Looks for what few requests do not show. */
  thorough?: boolean | undefined;
  /** Stops the run, which restores what it has changed and returns an incomplete report. The reason is a text. */
  signal?: AbortSignal | undefined;
  onResult?: (result: Result, total: number) => void;
  /** @param changes lists what is not restored yet. */
  onStart?: (changes: () => string[]) => void;
}

const DEFAULT_RUNS = 50;
const THOROUGH_RUNS = 500;
const MOST_REPEATED = 10; // failures that do not depend on other requests
const READERS = 3; // run cases that change nothing, beside those that do

/** @throws TargetDownError if the target does not respond at the start. One that goes down later fails a case. */
export async function verify(options: VerifyOptions): Promise<Report> {
  const { contract, seed, thorough: isThorough = false, only = [], onExchange, onWait } = options;
  const { runs = isThorough ? THOROUGH_RUNS : DEFAULT_RUNS } = options;
  const stopping = new AbortController();
  const { signal, release } = joinSignals(stopping.signal, options.signal);
  setMaxListeners(0, signal); // every request that waits for a rate limit listens
  const started = new Date();
  const target = { ...options.target, except: options.target.except.filter((exception) => isInForce(exception)) };
  const session = await openSession({ contract, target, random: { seed, runs }, onExchange, onWait, signal });
  options.onStart?.(session.changes);
  const selected = createSuite(contract, { isThorough }).filter(
    (testCase) => only.length === 0 || only.some((text) => isSelected(testCase, text)),
  );
  const results = new Map<Case, Result>();

  async function run(testCase: Case): Promise<Result> {
    if (signal.aborted) return createNotApplicable(testCase, String(signal.reason));
    const result = await runCase(testCase, session);
    if (session.isDown) stopping.abort("the target was down");
    return result;
  }

  async function work(queue: Case[]): Promise<void> {
    for (let testCase = queue.shift(); testCase; testCase = queue.shift()) {
      const result = await run(testCase);
      results.set(testCase, result);
      options.onResult?.(result, selected.length);
    }
  }

  /** Tells what is wrong by itself from requests at once that are mixed up. */
  async function repeatAlone(failed: readonly Case[]): Promise<void> {
    let failures = 0;
    for (const testCase of failed) {
      const result = results.get(testCase);
      if (!result || signal.aborted || failures === MOST_REPEATED) return;
      const { outcome } = await runCase(testCase, session);
      if (outcome === "pass") results.set(testCase, { ...result, isBesideOthers: true });
      else failures += 1;
    }
  }

  let changed: string[] = [];
  try {
    const changing = selected.filter(({ changes }) => changes);
    const reading = selected.filter(({ changes }) => !changes);
    const queue = [...reading];
    const readers = Array.from({ length: READERS }, () => work(queue));
    await Promise.all([work(changing), ...readers]);
    session.snapshots.clear();
    await repeatAlone(reading.filter((testCase) => results.get(testCase)?.failure));
  } finally {
    changed = await session.close();
    release();
  }

  const all = selected.flatMap((testCase) => results.get(testCase) ?? []);
  const redacted = redact(all, [...keysOf(target), ...(session.temporary?.keys ?? [])]);
  return {
    url: target.url.href,
    declaration: target.declaration,
    ...(session.temporary && { isTemporary: true }),
    contract: { version: contract.document.info.version, sha256: contract.file.digest },
    capabilities: [...target.can],
    except: target.except.map(({ match }) => match),
    seed,
    started: started.toISOString(),
    incomplete: signal.aborted ? String(signal.reason) : undefined,
    seconds: (Date.now() - started.getTime()) / 1000,
    results: redacted,
    ...(options.baseline ? { known: [...options.baseline], fixed: findFixed(options.baseline, redacted) } : {}),
    ...findCitedRules(contract, redacted.flatMap(citationsOf)),
    changed: [
      ...(signal.aborted ? [`Incomplete: ${signal.reason}.`] : []),
      ...changed,
      ...(only.length === 0 && !signal.aborted ? findObsolete(options.target, redacted) : []),
    ],
  };
}

/** The known failures whose cases pass now. */
function findFixed(baseline: readonly string[], results: readonly Result[]): string[] {
  const passed = mapDefined(results, ({ id, outcome }) => (outcome === "pass" ? `${id} — ` : undefined));
  return baseline.filter((fingerprint) => passed.some((start) => fingerprint.startsWith(start)));
}

/** A sentence for each exception of the user that has expired, or excuses nothing. */
function findObsolete({ except }: Target, results: readonly Result[]): string[] {
  return mapDefined(except, (exception) => {
    const { match, until, isImplied } = exception;
    if (isImplied) return undefined;
    if (!isInForce(exception)) return `The exception ${match} has expired (${until}), so it excuses nothing.`;
    if (results.some((result) => result.exception === match)) return undefined;
    const isNeedless = results.some((result) => isSelected(result, match));
    const reason = isNeedless ? "is not needed: nothing that it names fails" : "names no case";
    return `The exception ${match} ${reason}. Remove it.`;
  });
}
