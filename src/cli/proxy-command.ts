// `proxy`: options, output and exit code. Prints a block for the first entry of each cause, and a summary; --report
// writes all entries as JSON lines, --json and --markdown the causes.
import { openSync, writeSync } from "node:fs";
import { styleText } from "node:util";
import type { Command } from "commander";
import { plural } from "../contract/violation.js";
import { ConfigError } from "../core/options.js";
import { escapeControls } from "../pages/report/blocks.js";
import { countRoots, findRoots, formatMarkdown, type Root, titleOf } from "../tools/proxy/causes.js";
import type { ReportEntry, Summary } from "../tools/proxy/reporter.js";
import {
  contractOption,
  createCommand,
  EXIT,
  hostOption,
  isColored,
  openMessages,
  option,
  portOption,
  print,
  writeResult,
} from "./command.js";
import { acceptChildCommand, runUntilSignal } from "./run-until-signal.js";

const DEFAULT_PORT = 4030;

type FailOn = "request" | "response" | "both" | "never";

interface ProxyCommandOptions {
  upstream: string;
  port: number;
  host: string;
  contract: string;
  report?: string;
  json?: string;
  markdown?: string;
  quiet?: boolean;
  failOn: FailOn;
  mockMissing?: string[];
}

export function createProxyCommand(): Command {
  return acceptChildCommand(createCommand("proxy"))
    .description("Forward requests to any implementation, and report every violation of the contract by either side.")
    .addOption(
      option(
        "--upstream <url>",
        "the implementation's base URL; its path is prepended to every path",
      ).makeOptionMandatory(),
    )
    .addOption(portOption(DEFAULT_PORT))
    .addOption(hostOption())
    .addOption(contractOption("the contract to check both sides against"))
    .addOption(option("--report <file>", "append each violation to this file, as one line of JSON"))
    .addOption(option("--json <file>", "at the end, write all causes as JSON; - is standard output"))
    .addOption(option("--markdown <file>", "at the end, write all causes as a comment for a pull request"))
    .option("--quiet", "print only the summary")
    .addOption(
      option("--fail-on <direction>", "exit with 1 after a violation in this direction")
        .choices(["request", "response", "both", "never"] satisfies FailOn[])
        .default("never"),
    )
    .option("--mock-missing <operation...>", "mock the operations with these ids, which the upstream lacks")
    .addHelpText(
      "after",
      `
The proxy forwards requests and responses unchanged, except that Host names the
upstream. It writes no keys.
Exit codes: 0 done, 1 a violation by --fail-on, 2 wrong usage, 3 internal error.

Examples:
  notifications-contract proxy --upstream http://127.0.0.1:4010
  notifications-contract proxy --upstream https://staging.example.com/api \\
    --report violations.jsonl --markdown proxy.md
  notifications-contract proxy --upstream http://127.0.0.1:8080 \\
    --fail-on response -- npx playwright test
  notifications-contract proxy --upstream https://staging.example.com \\
    --contract proposal:openapi.yaml --mock-missing getPreferences`,
    )
    .action(runProxy);
}

async function runProxy(
  childCommand: string[],
  { report, json, markdown, failOn, quiet = false, mockMissing = [], ...options }: ProxyCommandOptions,
): Promise<void> {
  const { startProxy } = await import("../tools/proxy/proxy-server.js"); // here, so that no other command waits for it
  const appendEntry = report === undefined ? undefined : openReportFile(report);
  const messages = openMessages([json, markdown]);
  const isColoured = isColored(messages);
  const proxy = await startProxy({ ...options, missing: mockMissing });
  proxy.events.on("entry", (entry) => {
    appendEntry?.(entry); // first, since a full disk is an internal error
    if (entry.isFirst && !quiet) messages.write(formatEntry(entry, { isColoured }));
  });
  proxy.events.on("internalError", ({ stack }) => process.stderr.write(`internal error: ${stack}\n`));
  const close = async () => {
    await proxy.close();
    const summary = proxy.summary();
    await print(messages, formatSummary(summary));
    if (json !== undefined) await writeResult(json, formatJson(summary));
    if (markdown !== undefined) await writeResult(markdown, formatMarkdown(summary));
  };
  const announce = () =>
    void process.stderr.write(`The proxy is up at ${proxy.url}, in front of ${options.upstream}. Ctrl-C stops it.\n`);
  await runUntilSignal({ close, exitCode: () => decideExitCode(proxy.summary(), failOn) }, announce, {
    command: childCommand,
    variables: { NC_URL: proxy.url },
  });
}

function decideExitCode({ violations: { request, response }, internalErrors }: Summary, failOn: FailOn): number {
  if (internalErrors > 0) return EXIT.internalError;
  const counts = { request, response, both: request + response, never: 0 };
  return counts[failOn] > 0 ? EXIT.checkFailed : EXIT.done;
}

export function formatEntry(entry: ReportEntry, { isColoured }: { isColoured: boolean }): string {
  const { kind, exchange, direction, operation, method, target, status, location, message } = entry;
  const basis = entry.clause ?? entry.decision;
  const paint = (style: "red" | "yellow" | "bold" | "dim", text: string) =>
    isColoured ? styleText(style, text, { validateStream: false }) : text;
  const title = paint(kind === "violation" ? "red" : "yellow", `${MARKS[kind]} ${direction}`);
  const request = `${method} ${target}${status === undefined ? "" : ` → ${status}`}`;
  const records = entry.records ? ` (${entry.records} records)` : "";
  const lines = [
    `${title}  ${operation ?? "no operation"}  ${paint("dim", `#${exchange}`)}`,
    `  ${joinLines(request)}`,
    `  ${paint("bold", joinLines(location))}  ${joinLines(message)}${records}`,
    ...(basis === undefined ? [] : [paint("dim", `  by ${basis}`)]),
  ];
  return `${lines.join("\n")}\n\n`;
}

export function formatSummary(summary: Summary): string {
  const { requests, violations, notChecked, ownResponses, internalErrors } = summary;
  const roots = findRoots(summary);
  const lines = [
    ...roots.flatMap(formatRoot),
    ...(requests > 0 ? [`${countRoots(roots)}.`] : []),
    `${plural(requests, "request")}: ${plural(violations.request, "violation")} in requests, ${violations.response} ` +
      "in responses.",
    ...(notChecked > 0 ? [`Not checked: ${plural(notChecked, "response")}.`] : []),
    ...(ownResponses > 0 ? [`Sent by the proxy instead of the upstream: ${plural(ownResponses, "response")}.`] : []),
    ...(internalErrors > 0 ? [`Internal errors: ${internalErrors}. See the messages above.`] : []),
    ...(requests === 0 ? ["No request was received, so nothing was checked."] : []),
  ];
  return `${lines.join("\n")}\n`;
}

const formatJson = (summary: Summary) => `${JSON.stringify({ ...summary, causes: findRoots(summary) }, null, 2)}\n`;

/** `✗ response  listNotifications  body.data[].createdAt is missing: 100 records in 2 exchanges, first #1` */
function formatRoot(root: Root): string[] {
  const { first, exchanges, records, operations, following } = root;
  const { kind, direction, exchange } = first;
  const ofRecords = records > exchanges ? `${plural(records, "record")} in ` : "";
  const say = (cause: Pick<Root, "first" | "exchanges">) => joinLines(titleOf(cause).replaceAll("`", ""));
  const subject = [`${MARKS[kind]} ${direction}`, operations.join(", "), say(root)];
  return [
    `${subject.join("  ")}: ${ofRecords}${plural(exchanges, "exchange")}, first #${exchange}`,
    ...following.map((effect) => `    probably follows from it: ${say({ first: effect, exchanges: 1 })}`),
  ];
}

const MARKS = { violation: "✗", notChecked: "?", ownResponse: "⇄" } as const;

/** Escapes texts of the other side, which must not control the terminal or look like another entry. */
function joinLines(text: string): string {
  return escapeControls(text).replaceAll("\n", "\\n");
}

/**
 * Opens the report, or an existing one. Writes are synchronous, so that no entry is lost if the process ends.
 * @returns a function that appends an entry.
 * @throws ConfigError if it cannot be written.
 */
export function openReportFile(path: string): (entry: ReportEntry) => void {
  try {
    const file = openSync(path, "a");
    return (entry) => void writeSync(file, `${JSON.stringify(entry)}\n`);
  } catch (error) {
    throw new ConfigError(`The report cannot be written: ${(error as Error).message}. Use another file for --report.`);
  }
}
