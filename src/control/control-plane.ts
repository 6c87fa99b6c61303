// The control plane as the server sees it: one step for its paths, and two that the path of every request to the API
// has for it. What answers at its paths is loaded when it is first asked: most starts never need it.
import type { Express, RequestHandler } from "express";
import type { Logger } from "pino";
import type { Contract } from "../contract/contract.js";
import type { Operation } from "../contract/operations.js";
import { createFaults, type Faults } from "./faults.js";
import { createInjectFault } from "./inject-fault.js";
import { createRecordRequest } from "./record-request.js";
import { createRequestHistory, type RequestHistory } from "./request-history.js";
import type { WorldParts } from "./worlds.js";

export interface ControlSettings extends WorldParts {
  log: Logger;
  /** Opens the control plane to whoever has it; undefined keeps it to this machine. */
  controlKey: string | undefined;
  /** Aborts when the server stops. */
  stopping?: AbortSignal | undefined;
}

export interface ControlParts extends ControlSettings {
  faults: Faults;
  history: RequestHistory;
}

export interface ControlPlane {
  /** Answers at `/_control`. */
  controlPlane: RequestHandler;
  /** Makes the step that notes a request to the API. */
  recordRequest: (contract: Contract) => RequestHandler;
  /** Makes the step that lets an operation's request go wrong where that was asked for. */
  injectFault: (contract: Contract, operation: Operation) => RequestHandler;
}

export function createControlPlane(settings: ControlSettings): ControlPlane {
  const parts: ControlParts = { ...settings, faults: createFaults(), history: createRequestHistory() };
  let loading: Promise<Express> | undefined;
  return {
    controlPlane: function controlPlane(request, response, next) {
      if (request.path !== "/_control" && !request.path.startsWith("/_control/")) return next();
      loading ??= import("./control-app.js").then(({ createControlApp }) => createControlApp(parts));
      return loading.then((app) => app(request, response, next)); // Express sees to it when it rejects
    },
    recordRequest: (contract) => createRecordRequest(contract, parts.history),
    injectFault: (contract, operation) => createInjectFault({ ...parts, contract, operation }),
  };
}
