// The middleware of a request, in its order. The last one calls core/request/handle.ts, which has the rest of the path.
// Nothing here listens: command line, tests and other programs share it.
import cors from "cors";
import type { Express, Request, RequestHandler } from "express";
import type { Logger } from "pino";
import type { Contract } from "../contract/contract.js";
import { memoize } from "../contract/memoize.js";
import type { Operation } from "../contract/model.js";
import { allowedMethods, headerNamesOf } from "../contract/operation.js";
import { MOCKED_HEADER } from "../contract/response-check.js";
import type { Plan } from "../core/domain/notifications.js";
import { DISCONNECT, type LastStep, type ResponseAdapter } from "../core/request/exchange.js";
import { handleRequest, type Shell } from "../core/request/handle.js";
import type { Implementation } from "../core/request/handlers.js";
import { DEFAULT_API_KEY } from "./config.js";
import { eovValidatorOf } from "./http/eov-validator.js";
import {
  adaptResponse,
  createExpressApp,
  createReadBody,
  type ExchangeOptions,
  exchangeOf,
  type HttpExchange,
  sendResponse,
} from "./http/exchange.js";
import { createHandleError } from "./http/handle-error.js";
import { createFindErrorPage, createPublicPages, type PublicPagesOptions } from "./http/public-pages.js";
import { createRecordRequest } from "./http/record-request.js";
import type { ControlPlane, Serving } from "./serving.js";
import type { Store } from "./store/environments.js";

/** Shared by reference server and mock. */
interface CommonParts extends ExchangeOptions, Pick<PublicPagesOptions, "pages" | "findContractError"> {
  log: Logger;
  /** Undefined for a server without control plane. */
  control?: ControlPlane | undefined;
}

export interface AppParts extends CommonParts {
  store: Store;
  plan: Plan;
  /** What is done with the contract. */
  serving: Serving;
}

/** Builds the reference server's Express app. */
export function createApp(parts: AppParts): Express {
  const { plan, store, serving } = parts;
  return createPipeline({
    ...parts,
    adapter: serving.adapter,
    implementation: serving.implementation,
    responsesOf: serving.responsesOf,
    open: (key) => (key === undefined ? store.environments[0] : store.environmentOf(key)),
    keyHint:
      parts.apiKey === DEFAULT_API_KEY && parts.control ? " /console lists the environments and their keys." : "",
    findDataErrors: () => store.problems,
    createLastStep: (operation) => serving.createLastStep(operation, plan),
  });
}

export interface PipelineParts
  extends CommonParts,
    Pick<Shell, "open" | "keyHint" | "responsesOf">,
    Pick<PublicPagesOptions, "implementation" | "findDataErrors"> {
  /** Undefined if responses need no adapting. */
  adapter?: ResponseAdapter | undefined;
  /** Creates the last step of an operation, which always responds. */
  createLastStep: (operation: Operation) => LastStep;
  /** Rejects requests to control plane and console, if the server has neither. */
  rejectControl?: RequestHandler;
}

/** Builds the Express app of the reference server or of the mock. */
export function createPipeline(parts: PipelineParts): Express {
  const { contract, log, control } = parts;
  const app = createExpressApp();

  app.use(createRecordRequest({ ...parts, history: control?.history }));
  if (control) app.all("/_control{/*path}", control.controlPlane); // before CORS: closed to pages of other origins
  if (parts.rejectControl) app.use(parts.rejectControl);
  app.use(createCorsMiddleware(contract, parts.implementation));
  const shownKey = parts.apiKey === DEFAULT_API_KEY ? DEFAULT_API_KEY : undefined;
  const shown = { ...parts, hasConsole: control !== undefined, shownKey };
  app.use(createPublicPages(contract, shown));
  app.use(createHandleApiRequest(parts));
  app.use(createHandleError(log, createFindErrorPage(contract, shown)));
  return app;
}

/** Creates the handler of every request to the API: from authentication to the response. */
function createHandleApiRequest(parts: PipelineParts): RequestHandler {
  const { contract, adapter, open, keyHint, responsesOf, control } = parts;
  const shell: Shell<HttpExchange> = {
    contract,
    open,
    keyHint,
    faults: control?.faults,
    readBody: createReadBody(),
    validate: eovValidatorOf(contract),
    responsesOf,
    lastStepOf: memoize(parts.createLastStep),
  };
  return async function handleApiRequest(request, response) {
    const exchange = exchangeOf(response);
    exchange.isApiRequest = true;
    if (adapter) exchange.adapt = (result) => adaptResponse(exchange, result, { adapter, contract });
    const outcome = await handleRequest(exchange, shell);
    if (outcome === DISCONNECT) request.socket.destroy();
    else sendResponse(exchange, outcome);
  };
}

/**
 * Pages of any origin may call, and read every header of the contract. Responds to every preflight, and to any other
 * OPTIONS that the contract does not have.
 */
function createCorsMiddleware(contract: Contract, implementation: Partial<Implementation> = {}): RequestHandler {
  const { operations } = contract;
  const mocked = implementation.mocked?.length ? [MOCKED_HEADER] : [];
  const exposedHeaders = [...headerNamesOf(operations), ...mocked].join(","); // cors would join a list for each request
  const methods = [...new Set([...allowedMethods(operations), "OPTIONS"])];
  const setHeaders = cors({ exposedHeaders, methods, maxAge: 86_400, preflightContinue: true });
  return function corsMiddleware(request, response, next) {
    setHeaders(request, response, () => {
      if (request.method !== "OPTIONS" || isDeclaredOptions(request, contract)) return next();
      response.status(204).end(); // `cors` would send a Content-Length, which a 204 has not (RFC 9110 §8.6)
    });
  };
}

/** A preflight names the method that it asks for. */
function isDeclaredOptions({ path, headers }: Request, { findOperation }: Contract): boolean {
  return headers["access-control-request-method"] === undefined && findOperation("OPTIONS", path) !== undefined;
}
