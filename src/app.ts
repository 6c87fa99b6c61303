// The path of a request, in its order. Nothing here listens: the command line, the tests and other programs share it.
import type { Express, RequestHandler } from "express";
import type { Logger } from "pino";
import { type Adapter, adapterOf } from "./adapt/adapter.js";
import { type ImplementationStatus, toImplementationStatus } from "./adapt/implementation-status.js";
import { implementationOf } from "./api/call-operation.js";
import { DEFAULT_API_KEY } from "./config.js";
import type { Contract } from "./contract/contract.js";
import type { Operation } from "./contract/operations.js";
import type { ControlPlane } from "./control/control-plane.js";
import type { ShownSubscriber } from "./docs/home-page.js";
import type { Clock } from "./domain/clock.js";
import type { Plan } from "./domain/plan.js";
import { createAdaptResponses } from "./http/adapt-responses.js";
import { createAuthenticate } from "./http/authenticate.js";
import { createCorsMiddleware } from "./http/cors.js";
import { createExecuteOperation, createMockOperation, takeIdempotencyKey } from "./http/execute-operation.js";
import { createExpressApp, mountOperations } from "./http/express-app.js";
import { createHandleError } from "./http/handle-error.js";
import { createLogRequest } from "./http/log-request.js";
import { createPrefer } from "./http/prefer.js";
import { createPublicPages } from "./http/public-pages.js";
import { createReadBody } from "./http/read-body.js";
import { createValidateRequest } from "./http/validate-request.js";
import { DEFAULT_ENVIRONMENT } from "./store/environment.js";
import type { Store } from "./store/store.js";

/** What reference server and mock have in common. */
interface CommonParts {
  contract: Contract;
  clock: Clock;
  log: Logger;
  /** Check every response against the contract before it is sent. */
  checkResponses: boolean;
  /** What is wrong with the contract's file since its last save, when the contract before it is still served. */
  findContractError?: (() => string | undefined) | undefined;
  /** Aborts when the server stops: delayed responses are sent at once. */
  stopping?: AbortSignal;
  /** Opens the default environment. The home page shows the built-in one; any other stays secret. */
  apiKey?: string;
  /** Undefined leaves the control plane out. */
  control?: ControlPlane | undefined;
}

export interface AppParts extends CommonParts {
  store: Store;
  plan: Plan;
}

/**
 * Builds the reference server's Express app: a key opens an environment. Operations without a handler are mocked, and a contract
 * other than the implemented one is adapted to.
 */
export function createApp(parts: AppParts): Express {
  const { contract } = parts;
  const adapter = adapterOf(contract);
  const executeParts = { ...parts, adapter };
  return createPipeline({
    ...parts,
    adapter,
    status: adapter?.status ?? toImplementationStatus(contract, contract),
    authenticate: createAuthenticate(contract, parts.store),
    findSubscribers: () => findSubscribers(parts.store),
    takeIdempotencyKey,
    createLastStep: (operation) =>
      implementationOf(operation)
        ? createExecuteOperation(operation, executeParts)
        : createMockOperation(operation, executeParts),
  });
}

/** The home page chooses among them. */
const MAX_SUBSCRIBERS = 50;

function findSubscribers({ environments }: Store): ShownSubscriber[] {
  const shown: ShownSubscriber[] = [];
  const subscribers = environments.find(({ name }) => name === DEFAULT_ENVIRONMENT)?.state.subscribers() ?? [];
  for (const subscriber of subscribers) if (shown.push(subscriber) === MAX_SUBSCRIBERS) break;
  return shown;
}

export interface PipelineParts extends CommonParts {
  authenticate: RequestHandler;
  /** Undefined where responses are of the contract anyway. */
  adapter?: Adapter | undefined;
  /** What of the contract is real. */
  status?: ImplementationStatus;
  /** Undefined where no request has an effect. */
  takeIdempotencyKey?: RequestHandler;
  /** Creates the last step of an operation, which sends the response. */
  createLastStep: (operation: Operation) => RequestHandler;
  /** Subscribers for the home page. */
  findSubscribers?: () => readonly ShownSubscriber[];
  /** Rejects requests to a control plane and a console that this server does not have. */
  rejectControl?: RequestHandler;
}

/** Builds the Express app of the reference server or of the mock. It does not listen. */
export function createPipeline(parts: PipelineParts): Express {
  const { contract, clock, log, control, adapter, takeIdempotencyKey: takeKey } = parts;
  const controlPlane = control?.controlPlane ?? parts.rejectControl;
  const app = createExpressApp();

  app.use(createLogRequest(log, clock, contract));
  if (controlPlane) app.use(controlPlane); // before CORS: it is closed to pages of other origins
  app.use(createCorsMiddleware(contract));
  const shownKey = parts.apiKey === DEFAULT_API_KEY ? DEFAULT_API_KEY : undefined;
  app.use(createPublicPages(contract, { ...parts, hasConsole: control !== undefined, shownKey }));
  if (control) app.use(control.recordRequest(contract));
  if (adapter) app.use(createAdaptResponses(contract, adapter));
  app.use(parts.authenticate); // before anything of the request is parsed or a path is looked up (D-47)

  const validateRequest = createValidateRequest(contract);
  const prefer = createPrefer(contract, parts);
  mountOperations(app, contract, {
    createSteps: (operation) => [
      ...(operation.hasBody ? createReadBody(operation) : []), // the body of a GET means nothing (D-72)
      validateRequest(operation),
      ...(takeKey && operation.method !== "get" && implementationOf(operation) ? [takeKey] : []), // before any delay (D-57)
      prefer(operation), // after authentication and validation (D-71)
      ...(control ? [control.injectFault(contract, operation)] : []),
      parts.createLastStep(operation),
    ],
    contractPath: "/openapi.yaml",
    otherMethods: ["OPTIONS"], // handled by the CORS middleware
  });

  app.use(createHandleError(contract, log, parts));
  return app;
}
