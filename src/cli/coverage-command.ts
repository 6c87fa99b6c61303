// `coverage`: which parts of the contract a test run has shown, and code to paste that shows the rest.
import { type Command, InvalidArgumentError } from "commander";
import { ConfigError } from "../core/config-error.js";
import type { Coverage } from "../core/coverage/coverage.js";
import { readJson } from "../tools/json-file.js";
import { createCommand, EXIT, isColored, openMessages, STDOUT, writeResult } from "./command.js";
import { addressOf, controlKeyOption, DEFAULT_URL, option, parseUrlOption } from "./options.js";

interface CoverageOptions {
  url?: URL;
  controlKey?: string;
  merge?: string[];
  html?: string;
  json?: string | true;
  min: number;
}

export function createCoverageCommand(): Command {
  return createCommand("coverage")
    .description("Report what a test run has seen of the contract, and how to trigger the rest.")
    .addOption(
      option(
        "--url <url>",
        `the server that the tests ran against; without --merge, ${DEFAULT_URL} by default`,
      ).argParser(parseUrlOption),
    )
    .addOption(controlKeyOption())
    .option("--merge <file...>", "add the counts of these files, written by --json or by `coverageOf`")
    .option("--json [file]", "write the counts as JSON; without a file, or with -, to standard output")
    .option("--html <file>", "write the report as a page; - is standard output")
    .option("--min <percent>", "fail below this percentage", parsePercent, 0)
    .addHelpText(
      "after",
      `
Exit codes: 0 done, 1 less than --min, 2 wrong usage, 3 internal error.

Examples:
  notifications-contract coverage --html coverage.html
  notifications-contract coverage --merge contract-coverage/*.json --min 60`,
    )
    .action(reportCoverage);
}

async function reportCoverage({ merge = [], html, min, controlKey, ...options }: CoverageOptions): Promise<void> {
  const json = options.json === true ? STDOUT : options.json;
  const messages = openMessages([json, html]);
  const [{ createControl }, { mergeCoverage }, report] = await Promise.all([
    import("../browser/client/control.js"),
    import("../core/coverage/coverage.js"),
    import("./coverage-report.js"),
  ]);
  const url = options.url ? addressOf(options.url) : merge.length > 0 ? undefined : DEFAULT_URL;
  const names = [...(url === undefined ? [] : [String(url)]), ...merge];
  const parts = merge.map(readCoverage);
  let contract: string | undefined;
  if (url !== undefined) {
    const control = createControl({ baseUrl: url, controlKey });
    const reading = Promise.all([control.getCoverage(), control.getReadiness()]);
    const [served, readiness] = await reading.catch(({ message }: Error) => {
      throw new ConfigError(`Cannot read the coverage of ${url}: ${message}`);
    });
    parts.push(served);
    contract = readiness.version;
  }
  const coverage = mergeCoverage(parts);
  messages.write(report.formatTerminal(coverage, isColored(messages)));
  if (json !== undefined) await writeResult(json, `${JSON.stringify(coverage, null, 2)}\n`);
  if (html !== undefined) await writeResult(html, report.formatHtml(coverage, { names, contract, min }));
  const percent = report.percentOf(coverage);
  if (percent >= min) return;
  process.stderr.write(`${percent} % of the items are covered, less than --min ${min}.\n`);
  process.exitCode = EXIT.checkFailed;
}

function readCoverage(path: string): Coverage {
  const coverage = readJson(path) as Coverage | null;
  if (Array.isArray(coverage?.items)) return coverage;
  throw new ConfigError(`${path} has no \`items\`. Write it with \`coverageOf\` or --json.`);
}

function parsePercent(text: string): number {
  if (!/^\d+(\.\d+)?$/.test(text) || Number(text) > 100) throw new InvalidArgumentError("It must be 0 to 100.");
  return Number(text);
}
