// Opens a target for the cases of a run. Each response is checked against the contract before a case sees it.
import type { RequestSpec } from "../client/request-spec.js";
import type { Contract } from "../contract/contract.js";
import type { Operation } from "../contract/operations.js";
import type { Violation } from "../contract/schema-checker.js";
import { ExpectationError } from "./expectation.js";
import { NoResponseError, openTransport, type RawResponse } from "./http-transport.js";
import type { Snapshot } from "./notification.js";
import { openNotificationList } from "./notification-list.js";
import { createPreferenceRestorer } from "./preference-restorer.js";
import { createResponseCoverage } from "./response-coverage.js";
import { checkResponseLaws } from "./response-laws.js";
import type { Target } from "./target.js";
import { openTemporaryEnvironments } from "./temporary-environment.js";
import type { TestContext } from "./test-context.js";
import { type TestRequest, toSpec } from "./test-request.js";
import { type TestResponse, toTestResponse } from "./test-response.js";

export interface TestContextOptions {
  contract: Contract;
  target: Target;
  random: TestContext["random"];
  onExchange?: ((operation: Operation | undefined, response: TestResponse) => void) | undefined;
}

const LONGEST_RETRY_S = 10;

/**
 * Creates temporary environments where the target has a control plane. Elsewhere changes are recorded and undone.
 * @throws TargetDownError when the target does not respond, or an environment cannot be created.
 */
export async function openTestContext(options: TestContextOptions): Promise<TestContext> {
  const { contract, random, onExchange } = options;
  const transport = openTransport(options.target.url);
  const probe = { method: "GET", target: options.target.url.pathname, headers: {} };
  await transport.send(probe).catch((error) => {
    if (!(error instanceof NoResponseError)) throw error; // a target may close connections for a path that it lacks
  });
  const temporary = openTemporaryEnvironments(options.target);
  const target = temporary
    ? {
        ...options.target,
        apiKey: (await temporary.create()).apiKey,
        otherApiKey: (await temporary.create()).apiKey,
      }
    : options.target;
  const responseCoverage = createResponseCoverage(contract);
  const restorer = createPreferenceRestorer(target, transmit);
  let snapshot: Promise<Snapshot> | undefined;

  async function transmit(request: TestRequest): Promise<TestResponse> {
    const spec = toSpec(request, target);
    for (let attempt = 0; ; attempt++) {
      const raw = await sendOnce(spec);
      const wait = Number(raw.headers["retry-after"]);
      if (raw.status !== 429 || request.headers?.prefer || attempt === 5 || !(wait <= LONGEST_RETRY_S))
        return toTestResponse(raw, spec);
      await new Promise((resolve) => setTimeout(resolve, wait * 1000));
    }
  }

  function sendOnce(request: RequestSpec<Buffer>): Promise<RawResponse> {
    return transport.send(request).catch((error) => {
      if (!(error instanceof NoResponseError)) throw error;
      throw new ExpectationError({ what: "response", expected: "a response", actual: error.message, request });
    });
  }

  const context: TestContext = {
    contract,
    target,
    random,
    responseCoverage,
    operation(id) {
      const operation = contract.operations.find((one) => one.id === id);
      if (!operation) throw new Error(`the contract has no operation ${id}`);
      return operation;
    },
    async send(request) {
      await restorer.remember(request);
      const response = await transmit(request);
      onExchange?.(request.operation, response);
      expectContract(context, request, response);
      checkResponseLaws(request, response, context);
      responseCoverage.add(request.operation, response);
      return response;
    },
    snapshot: () => {
      snapshot ??= openNotificationList(context).readAll();
      return snapshot;
    },
    createEnvironment: temporary?.create,
    temporaryKeys: () => temporary?.keys ?? [],
    async close() {
      const changed = temporary ? temporary.close().then((): string[] => []) : restorer.restore();
      return changed.finally(transport.close);
    },
  };
  return context;
}

function expectContract({ contract, target }: TestContext, { operation }: TestRequest, response: TestResponse): void {
  const { status, request } = response;
  const body = request.method === "HEAD" ? undefined : response.body;
  const violations = contract
    .checkResponse(operation, { ...response, body })
    .filter((violation) => isRelevant(violation, status, target));
  if (violations.length === 0) return;
  const actual = violations.slice(0, 5).map(({ location, message }) => `${location} ${message}`);
  throw new ExpectationError({ what: "response", expected: `${status} as in the contract`, actual, request });
}

/** Whether the target has declared the capability that a violation is about. */
function isRelevant({ location, message }: Violation, status: number, { can }: Target): boolean {
  if (message === "is not declared for this status") return can.includes("exact-headers");
  if (message === "is not a known member" && status >= 400) return can.includes("cited-errors");
  return location !== "";
}
