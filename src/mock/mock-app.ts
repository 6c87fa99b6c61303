// The path of a request through the mock, in its order: that of app.ts, with Prism where the store and the domain are.
import { createHash, timingSafeEqual } from "node:crypto";
import type { Express, RequestHandler } from "express";
import type { Logger } from "pino";
import type { Contract } from "../contract/contract.js";
import { systemClock } from "../domain/clock.js";
import { createKeyCheck } from "../http/authenticate.js";
import { createBareApp } from "../http/bare-app.js";
import { createCrossOrigin } from "../http/cross-origin.js";
import { createErrorHandler } from "../http/errors.js";
import { nameOperation, refuseMethod, refusePath, toExpressPath } from "../http/paths.js";
import { createPrefer } from "../http/prefer.js";
import { createPublicPages } from "../http/public-pages.js";
import { readBody } from "../http/read-body.js";
import { createRequestLog } from "../http/request-log.js";
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
  const options = { checkAnswers: false, stopping }; // an example that is wrong is still the contract's example
  const app = createBareApp();

  app.use(createRequestLog(log, systemClock));
  app.use(createReminder(log, faultOf));
  app.use(createCrossOrigin(contract));
  app.use(createPublicPages(contract, { faultOf }));
  app.use(createKeyCheck(toComparison(apiKey)));

  const { validate, answer } = createPrismSteps(contract, prism);
  const prefer = createPrefer(contract, options);
  for (const operation of contract.operations) {
    app[operation.method](
      toExpressPath(operation.path),
      nameOperation(operation),
      ...(operation.hasBody ? [readBody] : []), // the body of a GET means nothing (D-72)
      validate(operation),
      prefer(operation),
      answer,
    );
    app.all(toExpressPath(operation.path), refuseMethod(operation));
  }

  app.use(refusePath);
  app.use(createErrorHandler(contract, log, options));
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
