// The mock's app: the pipeline of app.ts with one key instead of environments, and Prism instead of store and handlers.
import type { Express, RequestHandler } from "express";
import type { Logger } from "pino";
import { createPipeline } from "../app.js";
import type { Contract } from "../contract/contract.js";
import { systemClock } from "../domain/clock.js";
import { createAuthenticateByKey } from "../http/authenticate.js";
import { RequestError } from "../http/errors.js";
import { createGenerateResponse } from "./generate-response.js";
import type { Prism } from "./prism.js";

export interface MockParts {
  contract: Contract;
  prism: Prism;
  apiKey: string;
  log: Logger;
  /** What is wrong with the contract's file since its last save, when the contract before it is still served. */
  findContractError: () => string | undefined;
  /** Aborts when the mock stops. */
  stopping: AbortSignal;
}

/** Builds the mock's Express app for one contract. It does not listen. */
export function createMockApp({ prism, apiKey, ...parts }: MockParts): Express {
  return createPipeline({
    ...parts,
    clock: systemClock,
    checkResponses: true,
    authenticate: createAuthenticateByKey(apiKey),
    toLastStep: createGenerateResponse(parts.contract, prism),
    rejectControl,
  });
}

const rejectControl: RequestHandler = function rejectControl(request, _response, next) {
  if (!/^\/(_control|console)(\/|$)/.test(request.path)) return next();
  const message =
    "The mock has no control plane and no console. The reference server has both: `notifications-contract serve`.";
  throw new RequestError("pathNotFound", message);
};
