// The contract tests as a function: runs the cases that apply to a target and says what each came to.
import type { Contract } from "../contract/contract.js";
import type { Operation } from "../contract/operations.js";
import { toCurl } from "./ask.js";
import type { Case } from "./case.js";
import { Mismatch, NotApplicable } from "./check.js";
import { toCoverage } from "./coverage.js";
import { keysOf, redact } from "./redact.js";
import type { Failure, Report, Result } from "./report.js";
import { createSuite } from "./suite.js";
import type { Target } from "./target.js";
import { TargetDownError } from "./wire.js";
import { type Answer, openWorld, type World } from "./world.js";

export interface VerifyOptions {
  contract: Contract;
  target: Target;
  /** Only cases whose name or citation contains one of these texts. */
  only?: readonly string[];
  seed: number;
  /** How many random values each random case tries, unless a time is given. */
  runs?: number;
  /** Seconds; random cases fill them, and what is left over at their end is not run. */
  time?: number | undefined;
  concurrency?: number;
  stopAtFirstFailure?: boolean;
  onResult?: (result: Result, total: number) => void;
  onExchange?: (operation: Operation | undefined, answer: Answer) => void;
}

const DEFAULT_RUNS = 100;

/** @throws TargetDownError when nobody answers at the start. A target that goes down later has failed the case before. */
export async function verify(options: VerifyOptions): Promise<Report> {
  const { contract, target, seed, time, only = [] } = options;
  const started = new Date();
  const random = { seed, runs: options.runs ?? DEFAULT_RUNS, limitMs: 20_000 };
  if (time !== undefined) Object.assign(random, { runs: 1_000_000, limitMs: (time * 1000) / 6 });
  const world = await openWorld({ contract, target, random, onExchange: options.onExchange });
  const suite = createSuite(contract);
  const chosen = suite.filter((one) => only.length === 0 || only.some((text) => isNamed(one, text)));
  const results = new Map<Case, Result>();
  const deadline = time === undefined ? Number.POSITIVE_INFINITY : Date.now() + time * 1000;
  let over: string | undefined; // why no more cases are run

  async function work(queue: Case[]): Promise<void> {
    for (let one = queue.shift(); one; one = queue.shift()) {
      if (Date.now() > deadline) over ??= "the time was up";
      const result = over ? toResult(one, "not applicable", 0, over) : await runCase(one, world).catch(toGone(one));
      results.set(one, result);
      options.onResult?.(result, chosen.length);
      if (options.stopAtFirstFailure && ["fail", "broken"].includes(result.outcome)) over ??= "a case before failed";
    }
  }

  /** Nobody answers any more, and the reports say after which request. */
  function toGone(one: Case): (error: unknown) => Result {
    return (error) => {
      if (!(error instanceof TargetDownError)) throw error;
      over ??= "the target was gone";
      return {
        ...toResult(one, "fail", 0),
        failure: toFailure(one, new Mismatch("answer", "an answer", error.message, undefined), target.url.origin),
      };
    };
  }

  let changed: string[] = [];
  try {
    const changing = chosen.filter(({ changes }) => changes);
    const reading = chosen.filter(({ changes }) => !changes);
    const readers = Array.from({ length: Math.max((options.concurrency ?? 4) - 1, 1) }, () => () => work(reading));
    if (options.concurrency === 1) await work(chosen.slice());
    else await Promise.all([work(changing), ...readers.map((start) => start())]);
  } finally {
    changed = await world.close().catch((error) => [`What was changed could not be put back: ${error.message}`]);
  }

  const all = redact(
    chosen.flatMap((one) => results.get(one) ?? []),
    [...keysOf(target), ...world.ownKeys()],
  );
  return {
    url: target.url.href,
    contract: { version: contract.document.info.version, sha256: contract.file.digest },
    capabilities: [...target.can],
    except: [...target.except],
    seed,
    started: started.toISOString(),
    seconds: (Date.now() - started.getTime()) / 1000,
    results: all,
    changed,
    coverage: { requests: toCoverage(contract, all), statuses: world.seen.statuses(), members: world.seen.members() },
  };
}

async function runCase(one: Case, world: World): Promise<Result> {
  const { can, except, url } = world.target;
  const lacking = one.needs?.filter((capability) => !can.includes(capability)) ?? [];
  if (lacking.length > 0) return toResult(one, "not applicable", 0, `not declared: ${lacking.join(", ")}`);
  const exception = except.find((text) => isNamed(one, text));
  if (exception) return toResult(one, "not applicable", 0, `excepted: ${exception}`);
  const started = performance.now();
  const taken = () => Math.round(performance.now() - started);
  try {
    await one.run(world);
    return toResult(one, "pass", taken());
  } catch (error) {
    if (error instanceof TargetDownError) throw error;
    if (error instanceof NotApplicable) return toResult(one, "not applicable", taken(), error.message);
    if (error instanceof Mismatch)
      return { ...toResult(one, "fail", taken()), failure: toFailure(one, error, url.origin) };
    return toResult(one, "broken", taken(), error instanceof Error ? error.stack : String(error));
  }
}

function toFailure(one: Case, { what, expected, got, request, cites }: Mismatch, origin: string): Failure {
  const of = cites.length > 0 ? cites : one.cites;
  return { what, expected, got, cites: [...of], ...(request ? { curl: toCurl(request, origin) } : {}) };
}

function toResult(one: Case, outcome: Result["outcome"], ms: number, reason?: string): Result {
  const { id, cites, covers } = one;
  return { id, cites: [...cites], outcome, ms, ...(reason ? { reason } : {}), ...(covers ? { covers } : {}) };
}

function isNamed({ id, cites }: Case, text: string): boolean {
  return id.includes(text) || cites.includes(text);
}
