// The control plane: what handles its own paths, as strict as the API, by its own contract; and what requests to the API need of it:
// the history that they are recorded in, and the faults that are injected into them.
import { isIP } from "node:net";
import { Readable } from "node:stream";
import type { ErrorRequestHandler, Express, Request, RequestHandler } from "express";
import type { Logger } from "pino";
import { loadContract } from "../../contract/contract.js";
import { CONTROL_CONTRACT_PATH } from "../../contract/contract-file.js";
import type { Operation } from "../../contract/operations.js";
import { ControlRejection, toControlResponse } from "../../core/control/control-rejection.js";
import type { ControlOperationId } from "../../core/control/control-schemas.js";
import {
  assertOperation,
  assertPossible,
  createFaults,
  type FaultRule,
  type Faults,
} from "../../core/control/faults.js";
import {
  type ControlContext,
  type ControlHandler,
  type ControlRequest,
  controlHandlers,
} from "../../core/control/handlers.js";
import { createCoverageCounter } from "../../core/coverage/coverage.js";
import { LIMITS } from "../../core/operations/limits.js";
import { InvalidEnvironmentError } from "../../core/state/environment.js";
import { exchangeOf, sendResponse, signalOf } from "../http/exchange.js";
import { createExpressApp, createKeyMatch, mountOperations } from "../http/express-app.js";
import { createHandleError } from "../http/handle-error.js";
import { createReadRequest } from "../http/read-request.js";
import { responsesOf } from "../proposals/mock-response.js";
import { toEnvironmentChunks } from "../store/format/environment-text.js";
import { createEnvironmentManager, type EnvironmentManagerParts } from "./environment-manager.js";
import { createRequestHistory, type RequestHistory } from "./request-history.js";

export interface ControlParts extends EnvironmentManagerParts {
  log: Logger;
  /** The key of the control plane; undefined restricts it to this machine. */
  controlKey: string | undefined;
  /** Aborts when the server stops. */
  stopping?: AbortSignal | undefined;
  faults: Faults;
  history: RequestHistory;
}

/** The paths of the control plane. */
export const CONTROL_PATHS = "/_control{/*path}";

export interface ControlPlane {
  /** Handles `CONTROL_PATHS`. */
  controlPlane: RequestHandler;
  history: RequestHistory;
  faults: Faults;
}

/**
 * Creates the control plane. Its app is created on the first request: most starts never need it. (Its modules are loaded before:
 * Node keeps an import that fails, as for a lack of file descriptors, and so would the control plane.)
 */
export function createControlPlane(settings: Omit<ControlParts, "faults" | "history">): ControlPlane {
  const own = { faults: createFaults(), history: createRequestHistory(createCoverageCounter()) };
  const parts: ControlParts = { ...settings, ...own };
  let loading: Promise<Express> | undefined;
  return {
    ...own,
    controlPlane: async function controlPlane(request, response, next) {
      loading ??= createControlApp(parts);
      try {
        const app = await loading;
        app(request, response, next);
      } catch (error) {
        loading = undefined; // a lack of file descriptors, for instance, passes
        throw error;
      }
    },
  };
}

async function createControlApp(parts: ControlParts): Promise<Express> {
  const contract = await loadContract(CONTROL_CONTRACT_PATH);
  const context = {
    environments: createEnvironmentManager(parts),
    faults: parts.faults,
    history: parts.history,
    coverage: () => parts.history.coverage(parts.contract()),
    version: () => parts.contract().document.info.version,
    assertOperation: (name: string, location: string) => assertOperation(name, parts.contract().operations, location),
    assertPossible(rule: FaultRule) {
      const served = parts.contract();
      assertPossible(rule, served.operations, (operation) => responsesOf(served, operation));
    },
  };
  const app = createExpressApp();

  app.use(createGuard(parts.controlKey));
  app.get("/_control/openapi.yaml", function showContract(_request, response) {
    response.type("application/yaml").send(contract.file.text);
  });
  app.use("/_control/environments/:environment/snapshots", rejectSnapshots);
  mountOperations(app, contract, {
    createHandlers: (operation) => [
      createReadRequest(contract, operation, SEEDED.has(operation.id) ? SEED_OPTIONS : undefined),
      createExecuteControl(operation, context, parts.stopping),
    ],
    contractPath: "/_control/openapi.yaml",
  });
  app.use(handleControlRejection);
  app.use(createHandleError(contract, parts.log, { checkResponses: false }));
  return app;
}

/** An earlier release had them. */
function rejectSnapshots(): never {
  const message = "Snapshots are gone. Export the environment as a seed and create another one from it, or reset it.";
  throw new ControlRejection("notFound", message);
}

/** The operations whose body may hold a seed. */
const SEEDED = new Set<string>(["createEnvironment", "resetEnvironment"] satisfies ControlOperationId[]);
const SEED_OPTIONS = { limit: LIMITS.seedBytes, strict: false };

/** The operation whose response becomes a file, one record a line. It may be large: it is written in chunks. */
const EXPORT: ControlOperationId = "exportEnvironment";

function* toFileChunks(environment: object): Generator<Buffer> {
  for (const chunk of toEnvironmentChunks(environment)) yield Buffer.from(chunk); // whose memory is used again
}

function createExecuteControl(
  operation: Operation,
  context: Omit<ControlContext, "aborted" | "environment">,
  stopping: AbortSignal | undefined,
): RequestHandler {
  // The contract has just proven the request to be of the operation's type; the compiler cannot see that proof.
  const handle = controlHandlers[operation.id as ControlOperationId] as ControlHandler<ControlOperationId>;
  const [status = "200"] = Object.keys(operation.object.responses); // the success stands first
  return async function executeControl(request, response) {
    const aborted = signalOf(response, stopping);
    const { input } = exchangeOf(response);
    const body = await handle(input as unknown as ControlRequest<ControlOperationId>, {
      ...context,
      get environment() {
        return context.environments.find(String(request.params.environment));
      },
      aborted,
    });
    response.status(Number(status));
    if (body === undefined) response.end();
    else if (operation.id === EXPORT) Readable.from(toFileChunks(body)).pipe(response.type("json"));
    else response.json(body);
  };
}

const handleControlRejection: ErrorRequestHandler = function handleControlRejection(error, _request, response, next) {
  const isSeed = error instanceof InvalidEnvironmentError;
  const rejection = isSeed ? new ControlRejection("invalid", error.message, "body.data") : error;
  if (!(rejection instanceof ControlRejection)) return next(error);
  const exchange = exchangeOf(response);
  sendResponse(exchange, toControlResponse(rejection, { path: exchange.showTarget(), now: exchange.now }));
};

/** Access to the control plane: by its key; without one, by programs and pages of this machine alone. */
function createGuard(controlKey: string | undefined): RequestHandler {
  const assertAllowed = controlKey === undefined ? assertThisMachine : createKeyCheck(controlKey);
  return function guard(request, _response, next) {
    assertOwnPage(request);
    assertAllowed(request);
    next();
  };
}

const FOREIGN_PAGE =
  "Pages of other origins may not use the control plane. Call it from a program; in happy-dom, set `url` to this server's.";

/** Browsers say which page a request comes from: wherever it could change something, and else at least how near it is. */
function assertOwnPage({ headers }: Request): void {
  const { origin, host, "sec-fetch-site": site = "none" } = headers;
  const isOwn = origin === undefined || origin === `http://${host}` || origin === `https://${host}`;
  if (isOwn && (site === "none" || site === "same-origin")) return;
  throw new ControlRejection("forbidden", FOREIGN_PAGE);
}

function createKeyCheck(controlKey: string): (request: Request) => void {
  const isKey = createKeyMatch(controlKey);
  return ({ headers }) => {
    const [scheme, key = ""] = (headers.authorization ?? "").split(" ", 2);
    if (scheme === "ControlKey" && isKey(key)) return;
    throw new ControlRejection("unauthorized", 'Send "Authorization: ControlKey <key>", the key of --control-key.');
  };
}

/** The name it was called by counts too: a page of another site could make its own name lead here (DNS rebinding). */
function assertThisMachine({ socket, headers }: Request): void {
  const name = (headers.host ?? "").replace(/:\d+$/, "").replace(/^\[|\]$/g, "");
  if (isLoopback(socket.remoteAddress ?? "") && (name === "localhost" || isLoopback(name))) return;
  throw new ControlRejection(
    "forbidden",
    "The control plane is open to this machine alone. Start the server with --control-key to open it to others.",
  );
}

function isLoopback(address: string): boolean {
  const plain = address.replace(/^::ffff:/, "");
  return isIP(plain) !== 0 && (plain === "::1" || plain.startsWith("127."));
}
