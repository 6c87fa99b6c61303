// Opens a target for the cases of a run. Each response is checked against the contract before a case sees it.
import type { RequestSpec } from "../client/request-spec.js";
import type { Citation } from "../contract/citation.js";
import type { Contract } from "../contract/contract.js";
import type { Operation } from "../contract/operations.js";
import { citeResponse } from "../contract/response-citation.js";
import type { Violation } from "../contract/schema-checker.js";
import { ExpectationError } from "./expectation.js";
import { NoResponseError, type RawResponse } from "./http-transport.js";
import type { Snapshot } from "./notification.js";
import { openNotificationList } from "./notification-list.js";
import { type OnWait, openPacedTransport } from "./paced-transport.js";
import { createPreferenceRestorer } from "./preference-restorer.js";
import { createResponseCoverage } from "./response-coverage.js";
import { findBrokenLaws } from "./response-laws.js";
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
  onWait?: OnWait | undefined;
}

/**
 * Creates temporary environments where the target has a control plane. Elsewhere changes are recorded and undone.
 * @throws TargetDownError when the target does not respond, or an environment cannot be created.
 */
export async function openTestContext(options: TestContextOptions): Promise<TestContext> {
  const { contract, random, onExchange } = options;
  const transport = openPacedTransport(options.target, options.onWait);
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
    return toTestResponse(await sendOnce(spec), spec);
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
      expectLaws(context, response);
      responseCoverage.add(request.operation, response);
      return response;
    },
    restart() {},
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
  const isExcepted = (citation: Citation) =>
    target.except.some(({ match }) => match === citation.clause || match === citation.decision);
  const violations = contract
    .checkResponse(operation, { ...response, body })
    .filter((violation) => isRelevant(violation, target))
    .map((violation) => ({ ...violation, ...citeResponse(contract.document, operation, status, violation.location) }))
    .filter((violation) => violation.location === "status" || !isExcepted(violation));
  const [first] = violations;
  if (!first) return;
  const actual = violations.slice(0, 5).map(({ location, message }) => `${location} ${message}`);
  const citation = first.location === "status" ? undefined : (first.clause ?? first.decision);
  const difference = { what: "response", expected: `${status} as in the contract`, actual, request };
  throw new ExpectationError({ ...difference, also: citation === undefined ? [] : [citation] });
}

function expectLaws({ contract, target }: TestContext, response: TestResponse): void {
  const { request } = response;
  const prefix = target.url.pathname.replace(/\/$/, "");
  const broken = findBrokenLaws({ ...response, prefix, apiKey: target.apiKey }, contract).find(
    ({ cite, needs }) =>
      !target.except.some(({ match }) => match === cite) && (needs === undefined || target.can.includes(needs)),
  );
  if (!broken) return;
  const { cite, needs: _capability, ...difference } = broken;
  throw new ExpectationError({ ...difference, request, cites: [cite] });
}

/** Whether the target has declared the capability that a violation is about. */
function isRelevant({ location, message }: Violation, { can }: Target): boolean {
  const isUndeclared = message === "is not declared for this status" && !location.startsWith("header.idempotency-");
  return isUndeclared ? can.includes("exact-headers") : location !== "";
}
