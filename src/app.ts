// The path of a request, in its order. Nothing here listens: the command line, the tests and other programs share it.
import type { Express, RequestHandler } from "express";
import type { Logger } from "pino";
import type { Contract } from "./contract/contract.js";
import type { Operation } from "./contract/operations.js";
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

/** What every server has. */
interface CommonParts {
  contract: Contract;
  clock: Clock;
  log: Logger;
  /** Check every answer against the contract before it goes out. */
  checkAnswers: boolean;
  /** Why the contract's file, as it is now, is not the contract that is served. */
  faultOf?: (() => string | undefined) | undefined;
  /** Aborts when the server stops: answers that a `Prefer: delay` holds back go out at once. */
  stopping?: AbortSignal;
  /** The plan whose rate limit is simulated; undefined for none. */
  rateLimit?: Plan | undefined;
  /** Undefined leaves the control plane out. */
  control?: ControlPlane | undefined;
}

export interface AppParts extends CommonParts {
  store: Store;
  plan: Plan;
}

/** Builds the reference server's Express app: a key opens an environment, and the operations have handlers. */
export function createApp(parts: AppParts): Express {
  return createPipeline({
    ...parts,
    authenticate: createAuthenticate(parts.store),
    toAnswer: (operation) => createAnswerOperation(operation, parts),
  });
}

export interface PipelineParts extends CommonParts {
  authenticate: RequestHandler;
  /** Makes the last step of an operation. */
  toAnswer: (operation: Operation) => RequestHandler;
  /** Says at the paths of the control plane and the console that there are none; undefined leaves them to `refusePath`. */
  refuseControl?: RequestHandler;
}

/** Builds the Express app of the reference server or of the mock. It does not listen. */
export function createPipeline(parts: PipelineParts): Express {
  const { contract, clock, log, faultOf, control } = parts;
  const controlPlane = control?.controlPlane ?? parts.refuseControl;
  const app = createBareApp();

  app.use(createRequestLog(log, clock));
  if (controlPlane) app.use(controlPlane); // before CORS: it is closed to pages of other origins
  app.use(createCrossOrigin(contract));
  app.use(createPublicPages(contract, { faultOf, hasConsole: control !== undefined }));
  if (control) app.use(control.recordRequest(contract));
  app.use(parts.authenticate); // before anything of the request is parsed or a path is looked up (D-47)

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
      parts.toAnswer(operation),
    );
    app.all(toExpressPath(operation.path), refuseMethod(operation));
  }

  app.use(refusePath);
  app.use(createErrorHandler(contract, log, parts));
  return app;
}
