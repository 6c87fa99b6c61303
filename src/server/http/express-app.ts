// Express as the servers use it: an empty app (app.ts lists the steps), the operations mounted on it, steps that only Express
// needs, and an app that can be swapped behind a listener.
import { hash, timingSafeEqual } from "node:crypto";
import { IncomingMessage, type RequestListener, type ServerOptions, ServerResponse } from "node:http";
import cors from "cors";
import express, { type Express, type RequestHandler } from "express";
import type { Contract } from "../../contract/contract.js";
import { allowedMethods, encodeLiteral, sortPaths } from "../../contract/find-operation.js";
import type { Operation } from "../../contract/model.js";
import { headerNamesOf } from "../../contract/operation-responses.js";
import { MOCKED_HEADER } from "../../contract/response-check.js";
import type { HttpResponse } from "../../core/operations/errors.js";
import { DISCONNECT, type Exchange } from "../../core/operations/exchange.js";
import type { ImplementationStatus } from "../../core/operations/implementation-status.js";
import type { ResponseAdapter } from "../../core/operations/response-adapter.js";
import { createPathError, toMethodError } from "../../core/operations/routes.js";
import { exchangeOf, type HttpExchange, sendResponse } from "./exchange.js";

export function createExpressApp(): Express {
  const app = express();
  app.disable("x-powered-by");
  app.set("etag", false); // a 304 is not in the contract
  app.set("strict routing", true);
  app.set("case sensitive routing", true);
  // Express has a getter here that parses anew on each access. Steps that need a query read it by the contract.
  Object.defineProperty(app.request, "query", { value: undefined, writable: true, configurable: true });
  return app;
}

/** The app behind a listener, which can be replaced while the server runs, as when the contract is saved. */
export interface SwappableApp {
  /** Passes a request to the current app. */
  handle: RequestListener;
  /** For `http.createServer`. */
  serverOptions: Pick<ServerOptions, "IncomingMessage" | "ServerResponse">;
  swap(app: Express): void;
}

/**
 * Express sets the prototype of each request and response to that of its app. V8 makes an object slow for good when its
 * prototype changes: updates took twice as long. So Node creates them with Express's prototypes.
 */
export function createSwappableApp(first: Express): SwappableApp {
  class AppRequest extends IncomingMessage {}
  class AppResponse<Request extends IncomingMessage> extends ServerResponse<Request> {}
  let current = first;

  function swap(app: Express): void {
    Object.setPrototypeOf(AppRequest.prototype, app.request);
    Object.setPrototypeOf(AppResponse.prototype, app.response);
    Object.assign(app, { request: AppRequest.prototype, response: AppResponse.prototype });
    current = app;
  }

  swap(first);
  return {
    handle: (request, response) => current(request, response),
    serverOptions: { IncomingMessage: AppRequest, ServerResponse: AppResponse },
    swap,
  };
}

export interface MountOptions {
  createHandlers: (operation: Operation) => readonly RequestHandler[];
  /** Where the contract is, for the message of a 404. */
  contractPath: string;
  /** Methods that an earlier step handles at every path. */
  otherMethods?: readonly string[];
}

/** Mounts a contract's operations: each with its handlers, 405 for the other methods of its path, 404 for other paths. */
export function mountOperations(app: Express, { model: { operations } }: Contract, options: MountOptions): void {
  const { createHandlers, contractPath, otherMethods = [] } = options;
  for (const path of sortPaths(operations)) {
    const siblings = operations.filter((operation) => operation.path === path);
    const isHead = ({ method }: Operation) => method === "head"; // comes first, since Express passes HEAD to GET handlers
    for (const operation of [...siblings.filter(isHead), ...siblings.filter((other) => !isHead(other))])
      app[operation.method](toExpressPath(path), ...createHandlers(operation));
    app.all(toExpressPath(path), createRejectMethod(siblings, otherMethods));
  }
  const toPathError = createPathError(operations, contractPath);
  app.use(function rejectPath({ method, path }) {
    throw toPathError(method, path);
  });
}

/** Pages of any origin may call, and read every header of the contract. Responds to every OPTIONS. */
export function createCorsMiddleware(contract: Contract, status: Partial<ImplementationStatus> = {}): RequestHandler {
  const { operations } = contract.model;
  const mocked = status.mocked?.length ? [MOCKED_HEADER] : [];
  const names = [...headerNamesOf(operations), ...mocked];
  const exposedHeaders = names.join(","); // cors would join a list for each request
  const methods = [...allowedMethods(operations), "OPTIONS"];
  return cors({ exposedHeaders, methods, maxAge: 86_400 });
}

/** Creates the step after which a request counts as one to the API. */
export function createAuthenticateRequest(authenticate: (exchange: Exchange) => void): RequestHandler {
  return function authenticateRequest(_request, response, next) {
    const exchange = exchangeOf(response);
    exchange.isApiRequest = true;
    authenticate(exchange);
    next();
  };
}

/** Creates the function that compares keys as hashes, in constant time. */
export function createKeyMatch(key: string): (other: string) => boolean {
  const hashOf = (text: string) => hash("sha256", text, "buffer");
  const expected = hashOf(key);
  return (other) => timingSafeEqual(hashOf(other), expected);
}

/** Adapts responses to the served contract, if that is not the implemented one. */
export function createAdaptResponses({ model }: Contract, adapter: ResponseAdapter): RequestHandler {
  return function adaptResponses(_request, response, next) {
    const exchange = exchangeOf(response);
    exchange.adapt = (result) => {
      const { method, path } = exchange;
      const operation = exchange.operation ?? model.findOperation(method, path); // an earlier step may respond, such as authentication
      const adapted = adapter.adapt(operation, exchange, result);
      removeUndeclared(exchange, (name) => adapter.isDeclared(operation, adapted.status, name));
      return adapted;
    };
    next();
  };
}

function removeUndeclared({ response, responseHeaders }: HttpExchange, isDeclared: (name: string) => boolean): void {
  for (const name of response.getHeaderNames()) if (!isDeclared(name)) response.removeHeader(name);
  for (const name of Object.keys(responseHeaders)) if (!isDeclared(name)) delete responseHeaders[name];
}

/** Creates the handler of an operation, which runs its steps and sends the response. */
export function createHandleOperation(
  respond: (exchange: HttpExchange) => Promise<HttpResponse | typeof DISCONNECT>,
): RequestHandler {
  return async function handleOperation(request, response) {
    const exchange = exchangeOf(response);
    exchange.input.path = request.params;
    const outcome = await respond(exchange);
    if (outcome === DISCONNECT) request.socket.destroy();
    else sendResponse(exchange, outcome);
  };
}

/** `/v2/subscribers/{subscriberId}` → `/v2/subscribers/:subscriberId`. */
function toExpressPath(path: string): string {
  const pieces = path.split(/{([^}]*)}/); // literals and names in turn
  const toLiteral = (literal: string) => encodeLiteral(literal).replaceAll(/[()[\]?+!*:\\]/g, "\\$&");
  const name = (text: string) => (/^\w+$/.test(text) ? `:${text}` : `:"${text}"`);
  return pieces.map((piece, index) => (index % 2 === 0 ? toLiteral(piece) : name(piece))).join("");
}

function createRejectMethod(siblings: readonly Operation[], otherMethods: readonly string[]): RequestHandler {
  const [operation] = siblings;
  return function rejectMethod({ method }, response) {
    if (operation) exchangeOf(response).operation = operation;
    throw toMethodError(method, siblings, otherMethods);
  };
}
