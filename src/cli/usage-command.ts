// `usage`: records which parts of the contract a TypeScript front-end uses, for `review --usage`.
import { basename } from "node:path";
import type { Command } from "commander";
import { ConfigError } from "../core/config-error.js";
import type { NotRead } from "../tools/usage/usage-file.js";
import { assertPeers, createCommand, EXIT, writeResult } from "./command.js";
import { contractOption } from "./options.js";

interface UsageOptions {
  project: string;
  name?: string;
  contract: string;
  types?: string[];
  out?: string;
}

export function createUsageCommand(): Command {
  return createCommand("usage")
    .description(
      "Record which operations, parameters, statuses and members of the contract a TypeScript front-end refers " +
        "to, with file and line.",
    )
    .option("--name <name>", "what reports call the front-end (default: the name of its folder)")
    .option("--project <file>", "its TypeScript configuration", "tsconfig.json")
    .option(
      "--types <file>",
      "a file generated from the contract by openapi-typescript, besides this package's types; may be repeated",
      (file: string, before: string[] = []) => [...before, file],
    )
    .addOption(contractOption("the contract that the types were generated from"))
    .option("--out <file>", "the file to write (default: standard output)")
    .addHelpText(
      "after",
      `
Where it cannot follow a value (JSON.stringify, any, a spread), it records all
members as used. It lists files that it cannot read, such as .vue and .svelte.
Exit codes: 0 recorded, 1 incomplete, since an import of this package is not
found, 2 wrong usage, 3 internal error.

Examples:
  notifications-contract usage --name web --out usage/web.json
  notifications-contract usage --name kiosk --project apps/kiosk/tsconfig.json \\
    --types apps/kiosk/src/api-types.d.ts
  notifications-contract review --base main --usage usage/*.json`,
    )
    .action(recordUsage);
}

async function recordUsage(options: UsageOptions): Promise<void> {
  const { project: configPath, contract: contractPath, types = [], out } = options;
  assertPeers("usage");
  // Imported here, since the compiler takes half a second to load.
  const [{ loadContract }, { findUnread, openProject }, { findUsage }, { formatUsage }] = await Promise.all([
    import("../contract/contract.js"),
    import("../tools/usage/project.js"),
    import("../tools/usage/find-usage.js"),
    import("../tools/usage/usage-file.js"),
  ]);
  const contract = await loadContract(contractPath);
  if (process.stderr.isTTY) process.stderr.write(`reading ${configPath} …\n`);
  const project = openProject(configPath, types);
  const { references, notRead, unknown } = findUsage(project, contract);
  const [member] = unknown;
  if (member !== undefined)
    throw new ConfigError(
      `The types have ${member}, which ${contractPath} lacks. Use --contract to name the contract that they were ` +
        "generated from.",
    );
  const unread = findUnread(project.folder).map((place) => ({ place, reason: "unsupported format" }));
  const missing: NotRead[] = [...unread, ...notRead];
  const { name = basename(project.folder) } = options;
  const text = formatUsage({
    name,
    contract: { version: contract.document.info.version, sha256: contract.file.digest },
    references,
    notRead: missing,
  });
  await writeResult(out, text);
  for (const { place, reason, isOfPackage } of missing) {
    const effect = isOfPackage ? "what it uses of the contract is not recorded" : "references in it may be missing";
    process.stderr.write(`${place}: ${reason}; ${effect}.\n`);
  }
  const operations = references.filter(({ kind }) => kind === "operation").map((reference) => reference.name);
  process.stderr.write(
    `${name} refers to ${references.length} names of the contract (${operations.join(", ") || "no operation"}).\n`,
  );
  if (!missing.some(({ isOfPackage }) => isOfPackage)) return;
  process.stderr.write(
    "The record is incomplete: install the package, or correct the import, and run `usage` again.\n",
  );
  process.exitCode = EXIT.checkFailed;
}
