// The contract's paths in Express, and what is answered where path or method is none of the contract's.
import type { RequestHandler } from "express";
import { allowedMethods, type Operation } from "../contract/operations.js";
import { RequestError } from "./errors.js";
import { contextOf } from "./request-context.js";

/** `/v2/subscribers/{subscriberId}` → `/v2/subscribers/:subscriberId`. */
export function toExpressPath(path: string): string {
  return path.replaceAll(/{([^}]+)}/g, ":$1");
}

/** Notes which operation a request is for. */
export function nameOperation(operation: Operation): RequestHandler {
  return function setOperation(_request, response, next) {
    contextOf(response).operation = operation;
    next();
  };
}

/** Refuses the methods that an operation's path does not have. */
export function refuseMethod(operation: Operation): RequestHandler {
  return function answerRefusal(request, response) {
    contextOf(response).operation = operation;
    const allow = allowedMethods(operation);
    const message = `${request.method} is not a method of this path. It has ${allow}.`;
    throw new RequestError("methodNotAllowed", message, { headers: { Allow: allow } });
  };
}

export const refusePath: RequestHandler = function refusePath() {
  throw new RequestError("pathNotFound", "There is nothing at this path. /openapi.yaml lists the paths there are.");
};
