// The package's entry: a reference server for any contract. What a proposal changes is mocked or adapted.
import { loadContract } from "./contract/contract.js";
import { CONTRACT_PATH, CONTROL_CONTRACT_PATH } from "./contract/contract-file.js";
import { createControlPlane } from "./control/control-app.js";
import * as pages from "./pages/docs/server-pages.js";
import { serveProposal } from "./proposals/proposal.js";
import { type RunningServer, type ServerOptions, startServer as start } from "./server/server.js";
import type { Composition } from "./server/serving.js";
import { openWatchedFile } from "./server/watched-file.js";

export { CannotListenError, type Config, type RunningServer, type ServerOptions } from "./server/server.js";

/**
 * Starts a reference server. Unlike `serve`, it defaults to a free port and keeps its state in memory without
 * `dataFolder`.
 * @throws ConfigError, ContractError, InvalidEnvironmentError, FolderInUseError, FolderUnusableError or
 * CannotListenError; then nothing runs.
 */
export function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  return start(options, ROOMS);
}

const ROOMS: Composition = {
  pages,
  open: ({ path = CONTRACT_PATH, ...options }) => openWatchedFile({ ...options, path, load: () => loadContract(path) }),
  createControlPlane: (parts) => createControlPlane(parts, () => loadContract(CONTROL_CONTRACT_PATH)),
  serveProposal,
};
