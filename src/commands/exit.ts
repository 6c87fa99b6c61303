// How a command ends. What was wrong goes to stderr; the code says whose fault it was.
import { ConfigError } from "../config.js";
import { ContractError } from "../contract/contract-file.js";
import { CannotListenError } from "../listener.js";
import { BrokenEnvironmentError } from "../store/broken-environment.js";
import { FolderUnusableError } from "../store/data-folder.js";
import { FolderInUseError } from "../store/folder-lock.js";

export const EXIT = { done: 0, checkFailed: 1, wrongUsage: 2, internalError: 3 } as const;

const EXPECTED = [
  ConfigError,
  ContractError,
  BrokenEnvironmentError,
  FolderInUseError,
  FolderUnusableError,
  CannotListenError,
];

/** Ends the process for an error: what the user can mend in one line, everything else with its stack. */
export function fail(error: unknown): never {
  const isExpected = EXPECTED.some((kind) => error instanceof kind);
  process.stderr.write(isExpected ? `${(error as Error).message}\n` : `internal error: ${(error as Error).stack}\n`);
  process.exit(isExpected ? EXIT.wrongUsage : EXIT.internalError);
}
