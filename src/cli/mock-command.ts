// `mock`: the stateless mock.
import { type Command, Option } from "commander";
import type { Config } from "../server/config.js";
import {
  apiKeyOption,
  assertPeers,
  contractOption,
  createCommand,
  hostOption,
  parseNumberFrom,
  portOption,
  switchOption,
} from "./command.js";
import { createLog } from "./request-logger.js";
import { runUntilSignal } from "./run-until-signal.js";
import { findProposalFacts, formatStartMessage, printStart } from "./start-message.js";

const DEFAULT_PORT = 4020;

interface MockOptions extends Pick<Config, "port" | "host" | "apiKey"> {
  contract: string;
  dynamic?: true;
  seed?: number;
}

export function createMockCommand(): Command {
  return createCommand("mock")
    .description(
      "Run the stateless mock, which responds with the contract's examples or generated data, and serves every save " +
        "of the contract.",
    )
    .addOption(portOption(DEFAULT_PORT))
    .addOption(hostOption())
    .addOption(apiKeyOption("the accepted key"))
    .addOption(contractOption())
    .addOption(switchOption("--dynamic", "respond with generated data instead of the contract's examples"))
    .addOption(
      new Option("--seed <number>", "with --dynamic: generate the same data in each run").argParser(
        parseNumberFrom(0, 999_999_999),
      ),
    )
    .addHelpText(
      "after",
      `
Examples:
  notifications-contract mock
  notifications-contract mock --port 0 --contract ./openapi.yaml
  notifications-contract mock --dynamic --seed 7

To choose a response, send Prefer: code=503, example=<name>, delay=1500
(milliseconds), or several of them:
  curl -i 'http://127.0.0.1:${DEFAULT_PORT}/v1/notifications' \\
    -H 'Authorization: ApiKey demo-key' -H 'Prefer: code=429, delay=1500'`,
    )
    .action(mock);
}

async function mock({ contract, dynamic, seed: randomSeed, ...rest }: MockOptions): Promise<void> {
  assertPeers();
  const { startMock } = await import("../mock/mock-server.js");
  const isDynamic = dynamic ?? false;
  const server = await startMock({ ...rest, contractPath: contract, isDynamic, randomSeed, log: await createLog() });
  const responses = isDynamic
    ? `generated${randomSeed === undefined ? "" : `, seed ${randomSeed}`}`
    : "the contract's examples";
  const { unchecked = [], cannotBeShown = [] } = server.implementation ?? {}; // the rest is about handlers
  const facts = { Responses: responses, ...findProposalFacts({ unchecked, cannotBeShown }) };
  const message = formatStartMessage("mock", { ...server, hasControl: false, facts });
  await runUntilSignal(server, () => printStart(message));
}
