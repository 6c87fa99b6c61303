// Express as the servers use it: an empty app (app.ts lists the middleware), what only Express needs around the path of
// a request, and an app that can be swapped behind a listener.
import { IncomingMessage, type RequestListener, type ServerOptions, ServerResponse } from "node:http";
import express, { type Express, type RequestHandler } from "express";
import { operationFor } from "../../contract/find-operation.js";
import type { ContractModel } from "../../contract/model.js";
import { findResponse } from "../../contract/operation-responses.js";
import { handleRequest, type Shell } from "../../core/handle-request.js";
import { DISCONNECT, type ResponseAdapter } from "../../core/operations/exchange.js";
import type { HttpResponse } from "../../core/operations/http-response.js";
import { exchangeOf, type HttpExchange, sendResponse } from "./express-exchange.js";

export function createExpressApp(): Express {
  const app = express();
  app.disable("x-powered-by");
  app.set("etag", false); // a 304 is not in the contract
  app.set("strict routing", true);
  app.set("case sensitive routing", true);
  // Express has a getter here that parses again on each access. Steps that need a query read it by the contract.
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
 * For each request, Express replaces the prototypes of Node's request and response by those of its app. V8 makes an
 * object slow for good when its prototype changes: updates took twice as long. So Node creates both as Express wants:
 *   a request → AppRequest.prototype → app.request → IncomingMessage.prototype
 * To swap the app is to link these classes to another one, and to tell that one that they are its own prototypes.
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

/** Creates the handler of every request to the API: from authentication to the response. */
export function createHandleApiRequest(
  shell: Shell<HttpExchange>,
  adapter: ResponseAdapter | undefined,
): RequestHandler {
  return async function handleApiRequest(request, response) {
    const exchange = exchangeOf(response);
    exchange.isApiRequest = true;
    if (adapter) exchange.adapt = (result) => adapt(exchange, result, { adapter, contract: shell.contract });
    const outcome = await handleRequest(exchange, shell);
    if (outcome === DISCONNECT) request.socket.destroy();
    else sendResponse(exchange, outcome);
  };
}

/** Adapts a response to the served contract, and removes the headers that it lacks. */
function adapt(
  exchange: HttpExchange,
  result: HttpResponse,
  { adapter, contract }: { adapter: ResponseAdapter; contract: ContractModel },
): HttpResponse {
  const { method, path, response, responseHeaders } = exchange;
  const match = contract.findPath(path);
  const declaring = match?.operations.find((other) => findResponse(other, result.status)) ?? match?.operations[0];
  const operation = exchange.operation ?? operationFor(match, method) ?? declaring; // of an error, such as a 401 or 405
  const adapted = adapter.adapt(operation, exchange, result);
  const isDeclared = (name: string) => adapter.isDeclared(operation, adapted.status, name);
  for (const name of response.getHeaderNames()) if (!isDeclared(name)) response.removeHeader(name);
  for (const name of Object.keys(responseHeaders)) if (!isDeclared(name)) delete responseHeaders[name];
  return adapted;
}
