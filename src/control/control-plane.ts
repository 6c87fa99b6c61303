// The control plane as the server sees it: one step for its own paths, and two steps for requests to the API, which are recorded
// and injected with faults. Its app is created on the first request: most starts never need it. Its modules are loaded before:
// Node keeps an import that fails, as for a lack of file descriptors, and so would the control plane.
import type { Express, NextFunction, Request, RequestHandler, Response } from "express";
import { responsesOf } from "../adapt/mock-response.js";
import type { Contract } from "../contract/contract.js";
import type { Operation } from "../contract/operations.js";
import { createCoverageCounter } from "../coverage/coverage.js";
import { delayResponse } from "../http/delay-response.js";
import { hideKeysInQuery } from "../http/redactor.js";
import { contextOf, environmentOf } from "../http/request-context.js";
import { sendResponse } from "../http/response.js";
import { type ControlParts, createControlApp } from "./control-app.js";
import { type AppliedFault, createFaults, toFaultResponse } from "./faults.js";
import { createRecordRequest, isFromConsole } from "./record-request.js";
import { createRequestHistory } from "./request-history.js";

export interface ControlPlane {
  /** Handles `/_control`. */
  controlPlane: RequestHandler;
  /** Creates the step that records requests to the API. */
  recordRequest: (contract: Contract) => RequestHandler;
  /** Creates the step that injects faults into requests of an operation. */
  injectFault: (contract: Contract, operation: Operation) => RequestHandler;
}

export function createControlPlane(settings: Omit<ControlParts, "faults" | "history">): ControlPlane {
  const parts: ControlParts = {
    ...settings,
    faults: createFaults(),
    history: createRequestHistory(createCoverageCounter()),
  };
  let loading: Promise<Express> | undefined;
  return {
    controlPlane: function controlPlane(request, response, next) {
      if (request.path !== "/_control" && !request.path.startsWith("/_control/")) return next();
      loading ??= createControlApp(parts);
      return loading.then(
        (app) => app(request, response, next),
        (error: unknown) => {
          loading = undefined; // a lack of file descriptors, for instance, passes
          throw error;
        },
      );
    },
    recordRequest: (contract) => createRecordRequest(contract, parts.history),
    injectFault: (contract, operation) => createInjectFault(parts, contract, operation),
  };
}

/** Makes the step of one operation. It comes after everything that rejects a request by the contract. */
function createInjectFault(
  { faults, stopping }: ControlParts,
  contract: Contract,
  operation: Operation,
): RequestHandler {
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
    const rejected = { path: hideKeysInQuery(request), now: context.now };
    const example = toFaultResponse(responsesOf(contract, operation), fault, rejected);
    if (example) sendResponse(response, example);
    else next();
  }
}
