// The app behind a listener. Another may replace it while the server runs: a saved contract, for instance.
import { IncomingMessage, type RequestListener, type ServerOptions, ServerResponse } from "node:http";
import type { Express } from "express";

export interface SwappableApp {
  /** Passes a request to the current app. */
  handle: RequestListener;
  /** For `http.createServer`. */
  serverOptions: Pick<ServerOptions, "IncomingMessage" | "ServerResponse">;
  swap(app: Express): void;
}

/**
 * Express sets the prototype of each request and response to that of its app. V8 makes an object slow for good when its
 * prototype changes, and updates took twice as long. So Node creates them with Express's prototypes from the start.
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
