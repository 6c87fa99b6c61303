// The path of a request, in its order. Nothing here listens: the command line, the tests and other programs share it.
import type { Express } from "express";
import type { Logger } from "pino";
import type { Contract } from "./contract/contract.js";
import type { ControlPlane } from "./control/control-plane.js";
import type { Clock } from "./domain/clock.js";
import type { Plan } from "./domain/plan.js";
import { createAuthenticate } from "./http/authenticate.js";
import { createBareApp } from "./http/bare-app.js";
import { createCrossOrigin } from "./http/cross-origin.js";
import { createErrorHandler } from "./http/errors.js";
import { nameOperation, refuseMethod, refusePath, toExpressPath } from "./http/paths.js";
import { createPrefer } from "./http/prefer.js";
import { createPublicPages } from "./http/public-pages.js";
import { createLimitRate } from "./http/rate-limit.js";
import { readBody } from "./http/read-body.js";
import { createRequestLog } from "./http/request-log.js";
import { createAnswerOperation } from "./http/routes.js";
import { createValidateRequest } from "./http/validate-request.js";
import type { Store } from "./store/store.js";

export interface AppParts {
  contract: Contract;
  store: Store;
  clock: Clock;
  log: Logger;
  plan: Plan;
  /** The plan whose rate limit is simulated; undefined for none. */
  rateLimit?: Plan | undefined;
  /** Check every answer against the contract before it goes out. */
  checkAnswers: boolean;
  /** Why the contract's file, as it is now, is not the contract that is served. */
  faultOf?: (() => string | undefined) | undefined;
  /** Undefined leaves the control plane out. */
  control?: ControlPlane | undefined;
  /** Aborts when the server stops: answers that a `Prefer: delay` holds back go out at once. */
  stopping?: AbortSignal;
}

/** Builds the server's Express app. It does not listen. */
export function createApp(parts: AppParts): Express {
  const { contract, store, clock, log, control } = parts;
  const app = createBareApp();

  app.use(createRequestLog(log, clock));
  if (control) app.use(control.controlPlane); // before CORS: it is closed to pages of other origins
  app.use(createCrossOrigin(contract));
  app.use(createPublicPages(contract, { faultOf: parts.faultOf, hasConsole: control !== undefined }));
  if (control) app.use(control.recordRequest(contract));
  app.use(createAuthenticate(store)); // before anything of the request is parsed or a path is looked up (D-47)

  const validateRequest = createValidateRequest(contract);
  const prefer = createPrefer(contract, parts);
  const limitRate = parts.rateLimit && createLimitRate(parts.rateLimit);
  for (const operation of contract.operations) {
    app[operation.method](
      toExpressPath(operation.path),
      nameOperation(operation),
      ...(limitRate ? [limitRate(operation)] : []),
      ...(operation.hasBody ? [readBody] : []), // the body of a GET means nothing (D-72)
      validateRequest(operation),
      prefer(operation), // an answer that is asked for has still passed authentication and the contract (D-71)
      ...(control ? [control.injectFault(contract, operation)] : []),
      createAnswerOperation(operation, parts),
    );
    app.all(toExpressPath(operation.path), refuseMethod(operation));
  }

  app.use(refusePath);
  app.use(createErrorHandler(contract, log, parts));
  return app;
}
