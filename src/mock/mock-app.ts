// The path of a request through the mock, in its order: that of app.ts, with Prism where the store and the domain are.
import { createHash, timingSafeEqual } from "node:crypto";
import type { Express, RequestHandler } from "express";
import type { Logger } from "pino";
import type { Contract } from "../contract/contract.js";
import { systemClock } from "../domain/clock.js";
import { createKeyCheck } from "../http/authenticate.js";
import { createCorsMiddleware } from "../http/cors.js";
import { createHandleError } from "../http/errors.js";
import { createExpressApp } from "../http/express-app.js";
import { createLogRequest } from "../http/log-request.js";
import { mountOperations } from "../http/mount-operations.js";
import { createPrefer } from "../http/prefer.js";
import { createPublicPages } from "../http/public-pages.js";
import { readBody } from "../http/read-body.js";
import type { Prism } from "./prism.js";
import { createPrismSteps } from "./prism-steps.js";

export interface MockParts {
  contract: Contract;
  prism: Prism;
  apiKey: string;
  log: Logger;
  /** Why the contract's file, as it is now, is not the contract that is served. */
  faultOf: () => string | undefined;
  /** Aborts when the mock stops. */
  stopping: AbortSignal;
}

/** Builds the mock's Express app for one contract. It does not listen. */
export function createMockApp({ contract, prism, apiKey, log, faultOf, stopping }: MockParts): Express {
  const options = { checkResponses: false, stopping }; // an example that is wrong is still the contract's example
  const app = createExpressApp();

  app.use(createLogRequest(log, systemClock));
  app.use(createReminder(log, faultOf));
  app.use(createCorsMiddleware(contract));
  app.use(createPublicPages(contract, { findContractError: faultOf }));
  app.use(createKeyCheck(toComparison(apiKey)));

  const { validate, answer } = createPrismSteps(contract, prism);
  const prefer = createPrefer(contract, options);
  mountOperations(app, contract, {
    toSteps: (operation) => [...(operation.hasBody ? [readBody] : []), validate(operation), prefer(operation), answer], // D-72
    contractPath: "/openapi.yaml",
    otherMethods: ["OPTIONS"],
  });
  app.use(createHandleError(contract, log, options));
  return app;
}

/** Says with each request what is wrong with the contract's file, until it is right. */
function createReminder(log: Logger, faultOf: () => string | undefined): RequestHandler {
  return function remindOfFault(_request, _response, next) {
    const fault = faultOf();
    if (fault) log.warn(`Answered by the last good contract, since ${fault}`);
    next();
  };
}

/** Compares as hashes, in constant time. */
function toComparison(apiKey: string): (sent: string) => boolean {
  const hashOf = (key: string) => createHash("sha256").update(key).digest();
  const wanted = hashOf(apiKey);
  return (sent) => timingSafeEqual(hashOf(sent), wanted);
}
