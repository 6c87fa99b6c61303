// `verify`: the contract tests on the command line. What they do is in verify.ts.
import { writeFile } from "node:fs/promises";
import { Command, InvalidArgumentError, Option } from "commander";
import { loadContract } from "../contract/contract.js";
import { CONTRACT_PATH, ContractError } from "../contract/contract-file.js";
import { createProgress } from "./progress.js";
import { redact } from "./redact.js";
import { toHtml } from "./report/html.js";
import { toJunit } from "./report/junit.js";
import { toMarkdown } from "./report/markdown.js";
import { toTerminal } from "./report/terminal.js";
import { countOutcomes, type Report } from "./report.js";
import { CAPABILITIES, type Capability, DEMO_DATA, TARGETS, type Target } from "./target.js";
import { verify } from "./verify.js";
import { TargetDownError } from "./wire.js";

const EXIT = { kept: 0, broken: 1, wrongUsage: 2, internalError: 3 } as const;

interface VerifyCommandOptions {
  url: URL;
  apiKey: string;
  otherApiKey?: string;
  target: keyof typeof TARGETS;
  with: string[];
  without: string[];
  except: string[];
  contract: string;
  subscriber: string;
  otherSubscriber: string;
  workflow: string;
  criticalWorkflow?: string;
  unlistedWorkflows?: string[];
  only?: string[];
  seed?: number;
  time?: number;
  concurrency: number;
  json?: string;
  junit?: string;
  markdown?: string;
  html?: string;
}

export function createVerifyCommand(): Command {
  return new Command("verify")
    .description(
      "Hold any server against the contract: its examples, each keyword, random requests, and what the operations mean.",
    )
    .exitOverride((error) => process.exit(error.exitCode === 0 ? EXIT.kept : EXIT.wrongUsage))
    .showHelpAfterError("(--help lists the options)")
    .addOption(new Option("--url <url>", "base URL of the target").env("NC_URL").makeOptionMandatory().argParser(toUrl))
    .addOption(new Option("--api-key <key>", "the key to use").env("NC_API_KEY").default("demo-key"))
    .addOption(new Option("--other-api-key <key>", "a key of another environment").env("NC_OTHER_API_KEY"))
    .addOption(
      new Option("--target <kind>", "what the target can do, by its kind")
        .env("NC_TARGET")
        .choices(Object.keys(TARGETS))
        .default("reference"),
    )
    .addOption(
      new Option("--with <capabilities>", "what else it can do, separated by commas")
        .argParser(toCapabilities)
        .default([]),
    )
    .addOption(new Option("--without <capabilities>", "what it cannot do").argParser(toCapabilities).default([]))
    .addOption(
      new Option("--except <list>", "clauses, decisions or parts of case names that it is known not to keep")
        .argParser(toList)
        .default([]),
    )
    .addOption(
      new Option("--contract <file>", "the contract to hold it against")
        .env("NC_CONTRACT")
        .default(CONTRACT_PATH, "this package's"),
    )
    .addOption(
      new Option("--subscriber <id>", "a subscriber; preferences are changed and put back")
        .env("NC_SUBSCRIBER")
        .default(DEMO_DATA.subscriber),
    )
    .addOption(
      new Option("--other-subscriber <id>", "another one")
        .env("NC_OTHER_SUBSCRIBER")
        .default(DEMO_DATA.otherSubscriber),
    )
    .addOption(
      new Option("--workflow <identifier>", "a workflow that is active and listed")
        .env("NC_WORKFLOW")
        .default(DEMO_DATA.workflow),
    )
    .addOption(new Option("--critical-workflow <identifier>", "one that refuses updates").env("NC_CRITICAL_WORKFLOW"))
    .addOption(
      new Option("--unlisted-workflows <identifiers>", "ones that take updates and are not listed")
        .env("NC_UNLISTED_WORKFLOWS")
        .argParser(toList),
    )
    .addOption(
      new Option("--only <text>", "cases with this in their name or citation; may be repeated").argParser(collect),
    )
    .addOption(new Option("--seed <number>", "repeats the random cases of a run").argParser(toNumber))
    .addOption(new Option("--time <seconds>", "a budget; random cases fill it").argParser(toNumber))
    .addOption(
      new Option("--concurrency <number>", "requests at a time; updates always come one by one")
        .argParser(toNumber)
        .default(4),
    )
    .addOption(new Option("--json <file>", "write the whole report; - is stdout").env("NC_JSON"))
    .addOption(new Option("--junit <file>", "write JUnit XML").env("NC_JUNIT"))
    .addOption(new Option("--markdown <file>", "write a comment for a pull request").env("NC_MARKDOWN"))
    .addOption(new Option("--html <file>", "write one page with the coverage matrix").env("NC_HTML"))
    .addHelpText("after", HELP)
    .action(run);
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

Exit codes: 0 the contract is kept, 1 it is not, 2 wrong usage or nobody there, 3 the suite itself broke.

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
  process.once("uncaughtException", end); // Node alone would exit with 1, which says that the target is at fault
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
    process.exit(toExitCode(report));
  } catch (error) {
    return end(error);
  }

  function end(error: unknown): never {
    progress.clear();
    const isExpected =
      error instanceof TargetDownError || error instanceof ContractError || error instanceof UnwritableError;
    const message = isExpected ? error.message : `internal error: ${(error as Error).stack}`;
    process.stderr.write(`${redact(message, target)}\n`);
    process.exit(isExpected ? EXIT.wrongUsage : EXIT.internalError);
  }
}

function toTarget(options: VerifyCommandOptions): Target {
  const { url, apiKey, otherApiKey, subscriber, otherSubscriber, workflow } = options;
  const kind = TARGETS[options.target];
  const without = new Set(options.without);
  const can = [...new Set([...kind.can, ...(options.with as Capability[])])].filter((name) => !without.has(name)); // `toCapabilities` has checked them
  const demo = can.includes("demo-seed") ? DEMO_DATA : { criticalWorkflow: undefined, unlistedWorkflows: [] };
  return {
    url,
    apiKey,
    otherApiKey,
    subscriber,
    otherSubscriber,
    workflow,
    can,
    except: [...kind.except, ...options.except],
    criticalWorkflow: options.criticalWorkflow ?? demo.criticalWorkflow,
    unlistedWorkflows: options.unlistedWorkflows ?? demo.unlistedWorkflows,
  };
}

/** A suite that broke has no verdict; one that ran nothing has none either. */
function toExitCode(report: Report): number {
  const { pass, fail, broken } = countOutcomes(report);
  if (broken > 0) return EXIT.internalError;
  if (fail > 0) return EXIT.broken;
  if (pass > 0) return EXIT.kept;
  process.stderr.write("No case was run, so nothing is known. Look at --only, --with and --without.\n");
  return EXIT.wrongUsage;
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
    else if (path !== undefined) await writeFile(path, toText()).catch(refuseFile);
  }
}

const STDOUT = "-";

/** Settles when it is out, since the process ends right after; also when the reader has gone. */
function print(stream: NodeJS.WriteStream, text: string): Promise<void> {
  stream.once("error", () => {});
  return new Promise((resolve) => stream.write(text, () => resolve()));
}

class UnwritableError extends Error {}

function refuseFile(error: Error): never {
  throw new UnwritableError(`The report cannot be written: ${error.message}`);
}

function toUrl(text: string): URL {
  if (!URL.canParse(text)) throw new InvalidArgumentError("It must be a URL, as in http://127.0.0.1:4010.");
  const url = new URL(text);
  if (!/^https?:$/.test(url.protocol)) throw new InvalidArgumentError("It must begin with http:// or https://.");
  if (url.username || url.search || url.hash)
    throw new InvalidArgumentError("It must have no user, query or fragment.");
  return url;
}

function toList(text: string): string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/** Names of cases have commas in them. */
function collect(text: string, before: string[] = []): string[] {
  return [...before, text];
}

function toCapabilities(text: string): string[] {
  const unknown = toList(text).filter((name) => !Object.hasOwn(CAPABILITIES, name));
  if (unknown.length === 0) return toList(text);
  throw new InvalidArgumentError(`${unknown.join(", ")} is none. There are ${Object.keys(CAPABILITIES).join(", ")}.`);
}

function toNumber(text: string): number {
  if (!/^\d{1,10}$/.test(text) || Number(text) === 0)
    throw new InvalidArgumentError("It must be a whole number above 0.");
  return Number(text);
}
