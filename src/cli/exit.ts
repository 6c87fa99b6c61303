// Exit codes, and how a command exits with an error: the message goes to stderr, the code says what kind of error it is.
import { ConfigError } from "../config.js";
import { ContractError } from "../contract/contract-file.js";
import { CannotListenError } from "../http/listener.js";
import { FolderUnusableError } from "../store/disk/data-folder.js";
import { FolderInUseError, ForeignLockError } from "../store/disk/folder-lock.js";
import { InvalidEnvironmentError } from "../store/format/invalid-environment-error.js";
import { MissingPeersError } from "./assert-peers.js";

export const EXIT = { done: 0, checkFailed: 1, wrongUsage: 2, internalError: 3 } as const;

const EXPECTED = [
  ConfigError,
  ContractError,
  InvalidEnvironmentError,
  FolderInUseError,
  ForeignLockError,
  FolderUnusableError,
  CannotListenError,
  MissingPeersError,
];

/** Exits because of an error: one line for an error that the user can fix, the stack for any other. */
export function fail(error: unknown): never {
  const isExpected = EXPECTED.some((kind) => error instanceof kind);
  process.stderr.write(isExpected ? `${(error as Error).message}\n` : `internal error: ${(error as Error).stack}\n`);
  process.exit(isExpected ? EXIT.wrongUsage : EXIT.internalError);
}
