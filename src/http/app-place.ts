// Where the app of a server stands. Another may take its place while the server runs.
import { IncomingMessage, type RequestListener, ServerResponse } from "node:http";
import type { Express } from "express";

/** The classes of which Node makes requests and answers. */
export interface MessageClasses {
  IncomingMessage?: typeof IncomingMessage;
  ServerResponse?: typeof ServerResponse;
}

export interface AppPlace {
  /** Hands a request to the app that is there now. */
  serve: RequestListener;
  messages: MessageClasses;
  put(app: Express): void;
}

/**
 * Express gives every request and answer the prototype of its app. Here Node makes them with it: the prototype of an
 * object that is there already can only be changed in a way that makes all later work on the object slow.
 */
export function createAppPlace(first: Express): AppPlace {
  class AppRequest extends IncomingMessage {}
  class AppResponse<Request extends IncomingMessage> extends ServerResponse<Request> {}
  let current = first;

  function put(app: Express): void {
    Object.setPrototypeOf(AppRequest.prototype, app.request);
    Object.setPrototypeOf(AppResponse.prototype, app.response);
    Object.assign(app, { request: AppRequest.prototype, response: AppResponse.prototype });
    current = app;
  }

  put(first);
  return {
    serve: (request, response) => current(request, response),
    messages: { IncomingMessage: AppRequest, ServerResponse: AppResponse },
    put,
  };
}
