// The control plane as the server sees it: one step for its own paths, and two steps for requests to the API. Its app is
// created on the first request: most starts never need it. Its modules are loaded before: Node keeps an import that fails, as
// for a lack of file descriptors, and so would the control plane.
import type { Express, RequestHandler } from "express";
import type { Contract } from "../contract/contract.js";
import type { Operation } from "../contract/operations.js";
import { createCoverageCounter } from "../coverage/coverage.js";
import { type ControlParts, createControlApp } from "./control-app.js";
import { createFaults } from "./faults.js";
import { createInjectFault } from "./inject-fault.js";
import { createRecordRequest } from "./record-request.js";
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
    injectFault: (contract, operation) => createInjectFault({ ...parts, contract, operation }),
  };
}
