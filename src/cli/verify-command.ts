// `verify`: options and help. run-verify.ts runs it.
import { existsSync } from "node:fs";
import { type Command, Help, InvalidArgumentError, Option } from "commander";
import { toList } from "../contract/lists.js";
import { quote } from "../contract/request.js";
import { ConfigError } from "../core/options.js";
import { DEFAULT_API_KEY } from "../server/config.js";
import { CAPABILITIES, type Capability, DEMO_DATA, TARGETS } from "../tools/verify/declared-target.js";
import { contractOption, createCommand, fail, option, parseNumberFrom, parseUrlOption } from "./command.js";
import { applyConfigFile, CONFIG_FILE, type VerifyCommandOptions } from "./verify-target.js";

export function createVerifyCommand(): Command {
  const command = createCommand("verify").description(
    "Test any server against the contract: each keyword, random requests, and the laws of the operations.",
  );
  for (const each of createOptions()) command.addOption(each);
  return command.addHelpText("after", HELP).action(run);
}

const createOptions = (): Option[] => [
  option("--url <url>", "base URL of the target").argParser(parseUrlOption),
  new Option("--config <file>", `JSON file that describes the target (default: ${CONFIG_FILE}, if it exists)`),
  new Option("--init", `ask the target what it has, and write ${CONFIG_FILE} (or the file of --config)`),
  option("--target <kind>", `the kind of target, which sets its capabilities; ${WITHOUT_KIND}`).choices(
    Object.keys(TARGETS),
  ),
  option("--api-key <key>", `the API key; ${WITHOUT_KEY}`),
  option("--other-api-key <key>", "the API key of another environment; the variable hides it from the process list"),
  option("--control-key <key>", "the key of the target's control plane"),
  option("--subscriber <id>", "a subscriber; verify changes and restores its preferences").default(
    DEMO_DATA.subscriber,
  ),
  option("--other-subscriber <id>", "another subscriber").default(DEMO_DATA.otherSubscriber),
  option("--workflow <identifier>", "a workflow that is active and listed").default(DEMO_DATA.workflow),
  new Option("--read-only", "send no updates; cases that need one are not applicable"),
  new Option("--with <capabilities>", "add capabilities, separated by commas").argParser(parseCapabilities),
  new Option("--without <capabilities>", "remove capabilities, which the target lacks").argParser(parseCapabilities),
  new Option("--except <list>", "accept known differences: clauses, decisions or parts of case names").argParser(
    parseList,
  ),
  contractOption("the contract to test against"),
  new Option(
    "--only <text>",
    "run only cases with this text in their name or citations; document selects what the document demands, decision " +
      "what a decision alone does; may be repeated",
  ).argParser((text: string, before: string[] = []) => [...before, text]),
  new Option("--seed <number>", "repeat the random cases of the run with this seed").argParser(
    parseNumberFrom(1, 9_999_999_999),
  ),
  new Option("--thorough", "also look for what few requests do not show: thousands of updates at once"),
  new Option("--baseline <file>", "do not fail for the causes in this file"),
  new Option("--update-baseline <file>", "write the causes of this run to this file"),
  option("--json <file>", "write the whole report as JSON; as with the others, - is standard output"),
  option("--junit <file>", "write JUnit XML"),
  option("--markdown <file>", "write a comment for a pull request"),
  option("--html <file>", "write one page with all cases"),
];

const WITHOUT_KEY = `without it: temporary environments on a reference server, ${DEFAULT_API_KEY} elsewhere`;
const WITHOUT_KIND = "without it: reference if /health is our own server's, else implementation";

const HELP = `
Exit codes: 0 the target conforms to the contract, 1 it violates it, 2 wrong
usage, no server at the URL, or missing data there, 3 the suite itself failed.

Examples:
  notifications-contract verify --url http://127.0.0.1:4010
  notifications-contract verify --url http://127.0.0.1:4020 --target mock
  NC_API_KEY=my-key notifications-contract verify --init \\
    --url https://api.example.com
  NC_API_KEY=my-key NC_OTHER_API_KEY=other-key notifications-contract verify \\
    --url https://api.example.com --subscriber ada --other-subscriber grace \\
    --workflow welcome --junit verify.xml --html verify.html
  notifications-contract verify --url http://127.0.0.1:4010 --only D-24 \\
    --only query.limit --seed 7

Before the run, verify checks the address, the keys, the subscribers and the
workflow, and lists all that is missing.
Cases that need a missing capability are not applicable.
verify.config.json can also hold more data, headers of a gateway, and known
differences with reasons.

Capabilities:
${formatRows(CAPABILITIES)}

Targets:
${formatRows(Object.fromEntries(Object.entries(TARGETS).map(([name, { can }]) => [name, can.join(", ")])))}

Known differences of the target service from the contract:
${formatRows(Object.fromEntries(TARGETS.service.except.map(({ match, reason }) => [match, reason])))}`;

/** Names with their texts, wrapped as commander wraps those of options. */
function formatRows(texts: Readonly<Record<string, string>>): string {
  const help = new Help();
  const width = Math.max(...Object.keys(texts).map((name) => name.length));
  return Object.entries(texts)
    .map(([name, text]) => help.formatItem(name, width, text, help))
    .join("\n");
}

async function run(given: VerifyCommandOptions, command: Command): Promise<void> {
  const isSet = (name: string) => ["cli", "env"].includes(command.getOptionValueSource(name) ?? "");
  const options = given.init ? given : await applyConfigFile(given, isSet);
  const path = options.config ?? CONFIG_FILE;
  if (options.init && existsSync(path))
    throw new ConfigError(`${path} exists. Remove it, or name another file with --config.`);
  if (!options.url)
    throw new ConfigError(`verify needs the target's address: --url, NC_URL, or "url" in ${CONFIG_FILE}.`);
  if (options.init) {
    const { initVerify } = await import("./run-verify.js");
    process.exit(await initVerify(options).catch(fail));
  }
  options.declaration = formatDeclaration(command);
  const { runVerify } = await import("./run-verify.js"); // imported here, so that no other command waits for it
  process.exit(await runVerify(options));
}

/** Not part of the declaration: the address, which a report has, and what selects cases or files. */
const OF_A_RUN = ["url", "only", "seed", "baseline", "updateBaseline", "json", "junit", "markdown", "html"];

/** The options and variables that declare the target, as text for a shell. Keys are variables. */
function formatDeclaration(command: Command): string {
  const given = command.options.filter((each) => {
    const name = each.attributeName();
    return !OF_A_RUN.includes(name) && ["cli", "env"].includes(command.getOptionValueSource(name) ?? "");
  });
  const texts = given.map((each) => {
    const value: unknown = command.getOptionValue(each.attributeName());
    if (value === true) return each.long;
    return `${each.long} ${each.long?.endsWith("-key") ? `"$${each.envVar}"` : quote(toList(value).join(","))}`;
  });
  return texts.join(" ");
}

function parseList(text: string): string[] {
  const parts = text.split(",").map((part) => part.trim());
  return parts.filter((part) => part !== "");
}

function parseCapabilities(text: string): Capability[] {
  const names = parseList(text);
  const unknown = names.filter((name) => !Object.hasOwn(CAPABILITIES, name)).join(", ");
  if (unknown === "") return names as Capability[];
  throw new InvalidArgumentError(`Unknown: ${unknown}. The capabilities are ${Object.keys(CAPABILITIES).join(", ")}.`);
}
