// The control plane as the server sees it: what handles its own paths, and what requests to the API need of it: the history that
// they are recorded in, and the faults that are injected into them. Its app is created on the first request: most starts never
// need it. Its modules are loaded before: Node keeps an import that fails, as for a lack of file descriptors, and so would the
// control plane.
import type { Express, RequestHandler } from "express";
import { createFaults, type Faults } from "../../core/control/faults.js";
import { createCoverageCounter } from "../../core/coverage/coverage.js";
import { type ControlParts, createControlApp } from "./control-app.js";
import { createRequestHistory, type RequestHistory } from "./request-history.js";

/** The paths of the control plane. */
export const CONTROL_PATHS = "/_control{/*path}";

export interface ControlPlane {
  /** Handles `CONTROL_PATHS`. */
  controlPlane: RequestHandler;
  history: RequestHistory;
  faults: Faults;
}

export function createControlPlane(settings: Omit<ControlParts, "faults" | "history">): ControlPlane {
  const own = { faults: createFaults(), history: createRequestHistory(createCoverageCounter()) };
  const parts: ControlParts = { ...settings, ...own };
  let loading: Promise<Express> | undefined;
  return {
    ...own,
    controlPlane: async function controlPlane(request, response, next) {
      loading ??= createControlApp(parts);
      try {
        const app = await loading;
        app(request, response, next);
      } catch (error) {
        loading = undefined; // a lack of file descriptors, for instance, passes
        throw error;
      }
    },
  };
}
