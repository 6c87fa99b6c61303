// The step that has responses adapted to a served contract which is not the one that is implemented.
import type { RequestHandler } from "express";
import type { Contract } from "../../contract/contract.js";
import { STANDARD_HEADERS } from "../../contract/response-check.js";
import { createFindOperation } from "../../core/operations/routes.js";
import type { Adapter } from "../proposals/adapter.js";
import { exchangeOf, type HttpExchange } from "./exchange.js";

export function createAdaptResponses({ operations }: Contract, adapter: Adapter): RequestHandler {
  // The responses of the steps before the operation is looked up are those of the operation, too.
  const find = createFindOperation(operations);
  return function adaptResponses(_request, response, next) {
    const exchange = exchangeOf(response);
    exchange.adapt = (result) => {
      const { method, path, target, input } = exchange;
      const operation = exchange.operation ?? find(method, path);
      const request = { method: method.toLowerCase(), target, body: input.body, params: input.path };
      const adapted = adapter.adapt(operation, request, result);
      removeUndeclared(exchange, (name) => adapter.isDeclared(operation, adapted.status, name));
      return adapted;
    };
    next();
  };
}

function removeUndeclared({ response, responseHeaders }: HttpExchange, isDeclared: (name: string) => boolean): void {
  const isKept = (name: string) => STANDARD_HEADERS.has(name.toLowerCase()) || isDeclared(name);
  for (const name of response.getHeaderNames()) if (!isKept(name)) response.removeHeader(name);
  for (const name of Object.keys(responseHeaders)) if (!isKept(name)) delete responseHeaders[name];
}
