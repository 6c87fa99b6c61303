// The mock's app: the pipeline of app.ts with one key instead of environments, and Prism instead of store and handlers.
import type { Express, RequestHandler } from "express";
import { adapterOf } from "../adapt/adapter.js";
import { RequestError } from "../api/errors.js";
import { createPipeline, type PipelineParts } from "../app.js";
import { systemClock } from "../domain/clock.js";
import { createAuthenticateByKey } from "../http/authenticate.js";
import { createGenerateResponse } from "./generate-response.js";
import type { Prism } from "./prism.js";

type SharedParts = Pick<PipelineParts, "contract" | "log" | "findContractError" | "stopping">;

/** Builds the mock's Express app for one contract. It does not listen. */
export function createMockApp({ prism, apiKey, ...parts }: SharedParts & { prism: Prism; apiKey: string }): Express {
  return createPipeline({
    ...parts,
    adapter: adapterOf(parts.contract),
    apiKey,
    clock: systemClock,
    checkResponses: true,
    authenticate: createAuthenticateByKey(parts.contract, apiKey),
    createLastStep: createGenerateResponse(parts.contract, prism),
    rejectControl,
  });
}

const rejectControl: RequestHandler = function rejectControl(request, _response, next) {
  if (!/^\/(_control|console)(\/|$)/.test(request.path)) return next();
  const message =
    "The mock has no control plane and no console. The reference server has both: `notifications-contract serve`.";
  throw new RequestError("pathNotFound", message);
};
