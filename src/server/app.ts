// The steps of a request, in their order. Nothing here listens: command line, tests and other programs share it.
import { hash } from "node:crypto";
import type { Express, RequestHandler } from "express";
import type { Logger } from "pino";
import type { Operation } from "../contract/model.js";
import type { Plan } from "../core/domain/notifications.js";
import { implementationOf } from "../core/operations/call-operation.js";
import type { Step } from "../core/operations/exchange.js";
import type { ResponseAdapter } from "../core/operations/response-adapter.js";
import { responsesOf } from "../core/operations/sample-response.js";
import { createValidateRequest } from "../core/operations/validate-request.js";
import { createAuthenticate, createRespond, type Opener, stepsOf } from "../core/request-steps.js";
import type { ShownSubscriber } from "../pages/shell/home-page.js";
import { DEFAULT_API_KEY } from "./config.js";
import { CONTROL_PATHS, type ControlPlane } from "./control/control-app.js";
import type { ExchangeOptions, HttpExchange } from "./http/exchange.js";
import {
  createAdaptResponses,
  createAuthenticateRequest,
  createCorsMiddleware,
  createExpressApp,
  createHandleOperation,
  mountOperations,
} from "./http/express-app.js";
import { createHandleError } from "./http/handle-error.js";
import { createFindErrorPage, createPublicPages, type PublicPagesOptions } from "./http/public-pages.js";
import { createReadBody, eovValidatorOf } from "./http/read-request.js";
import { createRecordRequest } from "./http/record-request.js";
import { type Serving, serveImplemented } from "./serving.js";
import type { Store } from "./store/store.js";

/** Shared by reference server and mock. */
interface CommonParts extends ExchangeOptions, Pick<PublicPagesOptions, "findContractError"> {
  log: Logger;
  /** Undefined for a server without control plane. */
  control?: ControlPlane | undefined;
}

export interface AppParts extends CommonParts {
  store: Store;
  plan: Plan;
  /** What is done with the contract. Default: it is the implemented one. */
  serving?: Serving;
}

/** Builds the reference server's Express app. */
export function createApp(parts: AppParts): Express {
  const { contract, plan, store, serving = serveImplemented(contract) } = parts;
  return createPipeline({
    ...parts,
    adapter: serving.adapter,
    status: serving.status,
    open: store.environmentOf,
    openDefault: () => store.environments[0],
    keyHint:
      parts.apiKey === DEFAULT_API_KEY && parts.control ? " /console lists the environments and their keys." : "",
    findSubscribers: () => findSubscribers(store),
    createLastStep: (operation) => serving.createLastStep(operation, plan),
    isOnce: (operation) => operation.method !== "get" && implementationOf(operation) !== undefined,
  });
}

const MAX_SUBSCRIBERS = 50; // the home page chooses among them

function findSubscribers(store: Store): ShownSubscriber[] {
  const shown: ShownSubscriber[] = [];
  for (const subscriber of store.environments[0]?.state.subscribers() ?? []) {
    shown.push(subscriber);
    if (shown.length === MAX_SUBSCRIBERS) break;
  }
  return shown;
}

export interface PipelineParts extends CommonParts, Opener, Pick<PublicPagesOptions, "status" | "findSubscribers"> {
  /** Undefined if responses need no adapting. */
  adapter?: ResponseAdapter | undefined;
  /** True if an operation must take effect only once for each idempotency key. Default: none. */
  isOnce?: (operation: Operation) => boolean;
  /** Creates the last step of an operation, which always responds. */
  createLastStep: (operation: Operation) => Step<HttpExchange>;
  /** Rejects requests to control plane and console, if the server has neither. */
  rejectControl?: RequestHandler;
}

/** Builds the Express app of the reference server or of the mock. */
export function createPipeline(parts: PipelineParts): Express {
  const { contract, log, control, adapter } = parts;
  const app = createExpressApp();

  app.use(createRecordRequest({ ...parts, history: control?.history }));
  if (control) app.all(CONTROL_PATHS, control.controlPlane); // before CORS: closed to pages of other origins
  if (parts.rejectControl) app.use(parts.rejectControl);
  app.use(createCorsMiddleware(contract, parts.status));
  const shownKey = parts.apiKey === DEFAULT_API_KEY ? DEFAULT_API_KEY : undefined;
  app.use(createPublicPages(contract, { ...parts, hasConsole: control !== undefined, shownKey }));
  if (adapter) app.use(createAdaptResponses(contract, adapter));
  // Before anything of the request is parsed or a path is looked up (D-47).
  app.use(createAuthenticateRequest(createAuthenticate(contract, parts)));

  const validate = eovValidatorOf(contract);
  mountOperations(app, contract, {
    createHandlers: (operation) => [
      createHandleOperation(
        createRespond(
          operation,
          stepsOf<HttpExchange>(operation, {
            readBody: createReadBody(operation),
            validateRequest: createValidateRequest(contract, operation, validate),
            toDigest: parts.isOnce?.(operation) ? (text) => hash("sha256", text, "hex") : undefined,
            responses: () => responsesOf(operation),
            faults: control?.faults,
            executeOperation: parts.createLastStep(operation),
          }),
        ),
      ),
    ],
    contractPath: "/openapi.yaml",
    otherMethods: ["OPTIONS"], // handled by the CORS middleware
  });

  app.use(createHandleError(log, createFindErrorPage(contract, control !== undefined)));
  return app;
}
