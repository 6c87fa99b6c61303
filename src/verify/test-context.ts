// What cases work with: the contract, the target, and a way to send requests to it.
import type { Contract } from "../contract/contract.js";
import type { Operation, OperationId } from "../contract/operations.js";
import type { Snapshot } from "./notification.js";
import type { ResponseCoverage } from "./response-coverage.js";
import type { Target } from "./target.js";
import type { TemporaryEnvironment } from "./temporary-environment.js";
import type { TestRequest } from "./test-request.js";
import type { TestResponse } from "./test-response.js";

export interface TestContext {
  contract: Contract;
  target: Target;
  /** What random cases start from. */
  random: { seed: number; runs: number; limitMs: number };
  operation(id: OperationId): Operation;
  /** @throws ExpectationError when the response violates the contract. */
  send(request: TestRequest): Promise<TestResponse>;
  /** What was sent before does not matter any more: a failure shows the requests from here on. */
  restart(): void;
  /** All notifications, read once. */
  snapshot(): Promise<Snapshot>;
  responseCoverage: ResponseCoverage;
  /** Creates a further environment; undefined where the target has no control plane. */
  createEnvironment: (() => Promise<TemporaryEnvironment>) | undefined;
  /** The keys of the temporary environments. */
  temporaryKeys(): readonly string[];
  /** Deletes temporary environments, or restores what was changed; one sentence for each change. */
  close(): Promise<string[]>;
}
