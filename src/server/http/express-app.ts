// Express as the servers use it: an empty app (app.ts lists the middleware), and an app that can be replaced while the
// server runs.
import { IncomingMessage, type RequestListener, type ServerOptions, ServerResponse } from "node:http";
import express, { type Express } from "express";

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

/** What a listener passes requests to. */
export interface ListeningApp {
  handle: RequestListener;
  /** For `http.createServer`. */
  serverOptions?: Pick<ServerOptions, "IncomingMessage" | "ServerResponse">;
}

/** An app that can be replaced while the server runs, as when the contract is saved. */
export interface SwappableApp extends ListeningApp {
  /** `handle` is this app from now on. */
  swap(app: Express): void;
}

/**
 * For each request, Express calls `Object.setPrototypeOf(request, app.request)`, and the same for the response. V8
 * makes an object slow for good when its prototype changes: updates took twice as long. So Node creates each request of
 * a class, `AppRequest`, whose prototype the app takes for its own. Express then sets the prototype that is there
 * already:
 *   request → AppRequest.prototype = app.request → Express's prototype of requests → IncomingMessage.prototype
 * To swap the app is to do this to another one.
 */
export function createSwappableApp(first: Express): SwappableApp {
  class AppRequest extends IncomingMessage {}
  class AppResponse<Request extends IncomingMessage> extends ServerResponse<Request> {}
  const served: SwappableApp = {
    handle: first,
    serverOptions: { IncomingMessage: AppRequest, ServerResponse: AppResponse },
    swap(app) {
      Object.setPrototypeOf(AppRequest.prototype, app.request);
      Object.setPrototypeOf(AppResponse.prototype, app.response);
      Object.assign(app, { request: AppRequest.prototype, response: AppResponse.prototype });
      served.handle = app;
    },
  };
  served.swap(first);
  return served;
}
