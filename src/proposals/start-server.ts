// The package's entry: a reference server for any contract. What a proposal changes is mocked or adapted.
import { type RunningServer, type ServerOptions, startServer as start } from "../server/server.js";
import { prepareProposal } from "./prepare-proposal.js";

export { CannotListenError, type Config, type RunningServer, type ServerOptions } from "../server/server.js";

/**
 * Starts a reference server. Unlike `serve`, it defaults to a free port and keeps its state in memory without
 * `dataFolder`.
 * @throws ConfigError, ContractError, InvalidEnvironmentError, FolderInUseError, FolderUnusableError or
 * CannotListenError; then nothing runs.
 */
export function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  return start(options, prepareProposal);
}
