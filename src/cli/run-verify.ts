// `verify`: runs the suite, shows the progress, stops at a signal, and writes the reports. `verify --init` asks the
// target what it has, writes the config file, and says what each entry allows to be tested.

import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { type Contract, loadContract } from "../contract/contract.js";
import type { Notification, NotificationPage, Preferences } from "../contract/contract-types.js";
import { mapDefined } from "../contract/lists.js";
import { ConfigError } from "../core/options.js";
import { readJson } from "../tools/exceptions.js";
import type { Result } from "../tools/verify/case.js";
import { DEMO_DATA, keysOf, redact, type Target } from "../tools/verify/declared-target.js";
import { openTransport, TargetDownError } from "../tools/verify/http-transport.js";
import { assertPreconditions, isOurs, readHealth } from "../tools/verify/preconditions.js";
import { type FailureGroup, fingerprintsOf, groupFailures } from "../tools/verify/report/causes.js";
import { countOutcomes, HEADINGS, type Report, type Verdict, verdictOf } from "../tools/verify/report/report.js";
import { formatAnnotations, formatJunit, formatMarkdown, formatTerminal } from "../tools/verify/report/text.js";
import { formatPage } from "../tools/verify/report/verify-page.js";
import { toSpec } from "../tools/verify/test-request.js";
import { verify } from "../tools/verify/verify.js";
import { describeError, EXIT, isColored, openMessages, print, writeResult } from "./command.js";
import { watchSignals } from "./run-until-signal.js";
import { buildTarget, CONFIG_FILE, type ConfigFile, type VerifyCommandOptions } from "./verify-target.js";

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

const MAX_PAGES = 10;
const PAGE_SIZE = 50;
const MAX_SUBSCRIBERS = 6;

/** What each entry adds to a run. */
const ALLOWS: Readonly<Partial<Record<keyof ConfigFile, string>>> = {
  subscribers: "updates, and that ids with spaces, slashes and other characters are decoded",
  workflows: "which workflows are listed, in which order, with which channels",
  criticalWorkflow: "that a critical workflow rejects updates, by each of its names",
  unlistedWorkflows: "that inactive and read-only workflows accept updates and are not listed",
};

/** Writes the file and returns the exit code. @throws ConfigError if the target cannot be read. */
export async function initVerify(options: VerifyCommandOptions): Promise<number> {
  const path = options.config ?? CONFIG_FILE;
  const contract = await loadContract(options.contract);
  const described = await describeTarget(contract, buildTarget(options, "implementation")).catch((error) => {
    throw error instanceof TargetDownError ? new ConfigError(error.message) : error;
  });
  const { apiKey, otherApiKey } = options;
  const keys = { apiKey: "NC_API_KEY", ...(otherApiKey === undefined ? {} : { otherApiKey: "NC_OTHER_API_KEY" }) };
  // Without a key, a reference server has temporary environments.
  const file: ConfigFile = { url: options.url.href, ...(apiKey === undefined ? {} : { keys }), ...described };
  await writeResult(path, `${JSON.stringify(file, null, 2)}\n`);
  const lines = Object.entries(ALLOWS).map(([name, text]) => {
    const value = described[name as keyof typeof described];
    return value === undefined ? `  no ${name}: verify does not test ${text}` : `  ${name}: tests ${text}`;
  });
  const other =
    apiKey !== undefined && otherApiKey === undefined
      ? "  no keys.otherApiKey: set NC_OTHER_API_KEY to test that keys are isolated\n"
      : "";
  await print(process.stdout, `${path} is written. Add what the target has beyond it:\n${lines.join("\n")}\n${other}`);
  return EXIT.done;
}

/** Reads the list and the preferences of a subscriber, and sends updates that change nothing (D-04). */
async function describeTarget(contract: Contract, target: Target): Promise<Partial<ConfigFile>> {
  const transport = openTransport(target);
  const send = (request: Parameters<typeof toSpec>[0]) => transport.send(toSpec(request, contract, target));
  const update = (subscriberId: string, body: object = {}) =>
    send({ operation: "updatePreferences", path: { subscriberId }, body: { channels: {}, ...body } });
  try {
    const records = await readRecords(send);
    const subscribers = chooseSubscribers(records, target);
    const [subscriber = target.subscriber] = subscribers;
    const response = await update(subscriber);
    if (response.status !== 200)
      throw new ConfigError(
        `Expected 200 for an update of ${subscriber}, got ${response.status}. Name an existing one with --subscriber.`,
      );
    const { workflows } = JSON.parse(response.text) as Preferences;
    const listed = workflows.map(({ workflow, channels }) => {
      return { identifier: workflow.identifier, channels: Object.keys(channels) };
    });
    const named = records.flatMap(({ template }) => template?.triggers.map(({ identifier }) => identifier) ?? []);
    const notListed = [...new Set(named)].filter((name) => !listed.some(({ identifier }) => identifier === name));
    const statuses = new Map<string, number>();
    for (const workflowId of notListed) statuses.set(workflowId, (await update(subscriber, { workflowId })).status);
    const [critical] = notListed.filter((name) => statuses.get(name) === 400);
    const unlisted = notListed.filter((name) => statuses.get(name) === 200);
    const isNamed = target.workflow !== DEMO_DATA.workflow;
    const workflowsOfFile = listed.length === 0 && isNamed ? [{ identifier: target.workflow }] : listed;
    return {
      ...(subscribers.length > 1 ? { subscribers } : {}),
      ...(workflowsOfFile.length > 0 ? { workflows: workflowsOfFile } : {}),
      ...(critical === undefined ? {} : { criticalWorkflow: critical }),
      ...(unlisted.length > 0 ? { unlistedWorkflows: unlisted } : {}),
    };
  } finally {
    transport.close();
  }
}

async function readRecords(
  send: (request: Parameters<typeof toSpec>[0]) => Promise<{ status: number; text: string }>,
): Promise<Notification[]> {
  const records: Notification[] = [];
  for (let page = 0; page < MAX_PAGES; page++) {
    const { status, text } = await send({ operation: "listNotifications", query: { page, limit: PAGE_SIZE } });
    if (status === 401) throw new ConfigError("The list responds with 401. Set NC_API_KEY to a key of the target.");
    if (status !== 200)
      throw new ConfigError(
        `Expected 200 for the list, got ${status}: ${text.slice(0, 200)} Check --url: /v1/notifications follows it.`,
      );
    const { data, hasMore } = JSON.parse(text) as NotificationPage;
    records.push(...data);
    if (!hasMore) break;
  }
  return records;
}

/** Those of the command line, then those of records: ids that need encoding first. */
function chooseSubscribers(records: readonly Notification[], { subscriber, otherSubscriber }: Target): string[] {
  const ids = [...new Set(records.flatMap((record) => record.subscriber?.subscriberId ?? []))];
  const isDefault = (id: string) => id === DEMO_DATA.subscriber || id === DEMO_DATA.otherSubscriber;
  const given = [subscriber, otherSubscriber].filter((id) => ids.includes(id) || !isDefault(id));
  const plain = ids.filter((id) => /^[\w-]+$/.test(id));
  const odd = ids.filter((id) => !plain.includes(id));
  return [...new Set([...given, ...plain.slice(0, 2), ...odd, ...plain])].slice(0, MAX_SUBSCRIBERS);
}

/** The failures that a team knows of: only other ones fail a run. A known case that fails in another way is new. */
interface Baseline {
  causes: { title: string; severity: string; failures: string[] }[];
}

/** The fingerprints of a baseline. @throws ConfigError */
function loadBaseline(path: string): string[] {
  if (!existsSync(path)) throw new ConfigError(`${path} does not exist. Write it with --update-baseline ${path}.`);
  const { causes } = readJson(path) as Partial<Baseline>;
  const failures = Array.isArray(causes) ? causes.flatMap((cause) => cause.failures) : undefined;
  if (failures?.every((failure) => typeof failure === "string")) return failures;
  throw new ConfigError(`${path} is not a baseline. Write it with --update-baseline ${path}.`);
}

/** Writes all failures of a report, and returns their fingerprints. */
async function writeBaseline(path: string, report: Report): Promise<string[]> {
  const fingerprints = new Map(
    mapDefined(report.results, ({ failure, ...result }) =>
      failure ? ([result.id, fingerprintsOf({ ...result, failure })] as const) : undefined,
    ),
  );
  const baselineCauseOf = ({ title, severity, first, alike, consequences }: FailureGroup): Baseline["causes"] => [
    { title, severity, failures: [first.id, ...alike].flatMap((id) => fingerprints.get(id) ?? []) },
    ...consequences.flatMap(baselineCauseOf),
  ];
  const causes = groupFailures(report).flatMap(baselineCauseOf);
  await writeFile(path, `${JSON.stringify({ causes }, null, 2)}\n`);
  return [...fingerprints.values()].flat();
}
