// The step that injects a fault of the environment into a request.
import type { NextFunction, Request, RequestHandler, Response } from "express";
import { responsesOf } from "../adapt/mock-response.js";
import type { Contract } from "../contract/contract.js";
import type { Operation } from "../contract/operations.js";
import { delayResponse } from "../http/delay-response.js";
import { hideKeysInQuery } from "../http/redactor.js";
import { contextOf, environmentOf } from "../http/request-context.js";
import { sendResponse } from "../http/response.js";
import { type AppliedFault, type Faults, toFaultResponse } from "./faults.js";
import { isFromConsole } from "./record-request.js";

interface FaultParts {
  contract: Contract;
  operation: Operation;
  faults: Faults;
  /** Aborts when the server stops: delayed responses are sent at once. */
  stopping?: AbortSignal | undefined;
}

/** Makes the step of one operation. It comes after everything that rejects a request by the contract. */
export function createInjectFault({ contract, operation, faults, stopping }: FaultParts): RequestHandler {
  return function injectFault(request, response, next) {
    if (isFromConsole(request)) return next(); // it would use up what is meant for the client under test
    const fault = faults.apply(environmentOf(response), operation.id);
    return fault ? inject(fault, request, response, next) : next();
  };

  async function inject(
    fault: AppliedFault,
    request: Request,
    response: Response,
    next: NextFunction,
  ): Promise<unknown> {
    const context = contextOf(response);
    context.fault = fault.id;
    if (fault.delayMs !== undefined) await delayResponse(fault.delayMs, response, stopping);
    if (fault.disconnect) {
      context.releaseKey?.(); // there is no response to do so
      return request.socket.destroy();
    }
    context.isTruncated = fault.malformed ?? false;
    const rejected = { path: hideKeysInQuery(request), now: context.now };
    const example = toFaultResponse(responsesOf(contract, operation), fault, rejected);
    if (example) sendResponse(response, example);
    else next();
  }
}
