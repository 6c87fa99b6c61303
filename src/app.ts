// The path of a request, in its order. Nothing here listens: the command line, the tests and other programs share it.
import cors from "cors";
import express, { type Express, type RequestHandler } from "express";
import type { Logger } from "pino";
import type { Contract } from "./contract/contract.js";
import { allowedMethods, type Operation } from "./contract/operations.js";
import type { Clock } from "./domain/clock.js";
import type { Plan } from "./domain/plan.js";
import { createAuthenticate } from "./http/authenticate.js";
import { createErrorHandler, RequestError } from "./http/errors.js";
import { createPublicPages } from "./http/public-pages.js";
import { contextOf } from "./http/request-context.js";
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
  /** Check every answer against the contract before it goes out. */
  checkAnswers: boolean;
}

const BODY_LIMIT_BYTES = 102_400; // D-52

/** Builds the server's Express app. It does not listen. */
export function createApp(parts: AppParts): Express {
  const { contract, store, clock, log } = parts;
  const app = express();
  app.disable("x-powered-by");
  app.set("etag", false); // a 304 is not in the contract
  app.set("strict routing", true);
  app.set("case sensitive routing", true);

  app.use(createRequestLog(log, clock));
  app.use(cors({ exposedHeaders: findHeaderNames(contract), maxAge: 86_400 })); // answers every OPTIONS
  app.use(createPublicPages(contract));
  app.use(createAuthenticate(store)); // before anything of the request is parsed or a path is looked up (D-47)

  const validateRequest = createValidateRequest(contract);
  for (const operation of contract.operations) {
    app[operation.method](
      toExpressPath(operation.path),
      nameOperation(operation),
      express.json({ limit: BODY_LIMIT_BYTES, strict: false }), // a body of the wrong type is the contract's to refuse
      validateRequest(operation),
      createAnswerOperation(operation, parts),
    );
    app.all(toExpressPath(operation.path), refuseMethod(operation));
  }

  app.use(refusePath);
  app.use(createErrorHandler(contract, log, parts));
  return app;
}

function nameOperation(operation: Operation): RequestHandler {
  return function setOperation(_request, response, next) {
    contextOf(response).operation = operation;
    next();
  };
}

function refuseMethod(operation: Operation): RequestHandler {
  return function answerRefusal(request, response) {
    contextOf(response).operation = operation;
    const allow = allowedMethods(operation);
    const message = `${request.method} is not a method of this path. It has ${allow}.`;
    throw new RequestError("methodNotAllowed", message, { headers: { Allow: allow } });
  };
}

const refusePath: RequestHandler = function refusePath() {
  throw new RequestError("pathNotFound", "There is nothing at this path. /openapi.yaml lists the paths there are.");
};

function toExpressPath(path: string): string {
  return path.replaceAll(/{([^}]+)}/g, ":$1");
}

/** The headers that a page of another origin may read. */
function findHeaderNames({ document }: Contract): string[] {
  return Object.keys(document.components.headers);
}
