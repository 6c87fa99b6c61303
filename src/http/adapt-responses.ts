// The step that has responses adapted to a served contract which is not the one that is implemented.
import type { RequestHandler, Response } from "express";
import type { Adapter } from "../adapt/adapter.js";
import { createFindOperation } from "../api/routes.js";
import type { Contract } from "../contract/contract.js";
import { STANDARD_HEADERS } from "../contract/response-check.js";
import { contextOf } from "./request-context.js";

export function createAdaptResponses({ operations }: Contract, adapter: Adapter): RequestHandler {
  // The responses of the steps before the operation is looked up are those of the operation, too.
  const find = createFindOperation(operations);
  return function adaptResponses(request, response, next) {
    const { method: sent, path, originalUrl: target } = request; // a later step turns HEAD into GET
    const method = sent.toLowerCase();
    contextOf(response).adapt = (result) => {
      const operation = contextOf(response).operation ?? find(sent, path);
      const { params = {}, body } = request;
      const adapted = adapter.adapt(operation, { method, target, body, params }, result);
      removeUndeclared(response, (name) => adapter.isDeclared(operation, adapted.status, name));
      return adapted;
    };
    next();
  };
}

function removeUndeclared(response: Response, isDeclared: (name: string) => boolean): void {
  for (const name of response.getHeaderNames())
    if (!STANDARD_HEADERS.has(name) && !isDeclared(name)) response.removeHeader(name);
}
