// express-openapi-validator (EOV) as one function. Its verdict is its own; what leads to it is done once where that is
// enough: EOV would look up the operation anew for each request, and Express has just found it.
import type { Request, RequestHandler, Response } from "express";
import * as OpenApiValidator from "express-openapi-validator";
import type { Contract } from "../contract/contract.js";
import type { Operation } from "../contract/operations.js";

/** Calls back with what is wrong, or with nothing. Values of the request are coerced, and defaults added, in place. */
export type AskEov = (
  operation: Operation,
  request: Request,
  response: Response,
  answer: (error?: unknown) => void,
) => void;

/** What EOV finds out about the operation of a request. */
interface Found extends Request {
  openapi?: { pathParams: Request["params"] };
}

export function createEov(contract: Contract): AskEov {
  const steps = OpenApiValidator.middleware({
    // EOV changes the document it is given. Loading the contract has checked it already.
    apiSpec: structuredClone(contract.document) as never,
    validateApiSpec: false,
    validateRequests: { allErrors: true, allowUnknownQueryParameters: true },
    validateResponses: false, // it sees res.json alone; --check-responses sees every answer
    validateSecurity: false, // done by `authenticate`, before anything is parsed
    ajvFormats: { mode: "full" }, // "fast" lets 2020-02-31 pass
    fileUploader: false,
  }) as RequestHandler[];
  const validate = steps.slice(-1); // those before it find the operation
  const found = new Map<Operation, Found["openapi"]>();
  return (operation, request: Found, response, answer) => {
    const known = found.get(operation);
    if (known) {
      request.openapi = { ...known, pathParams: request.params };
      return takeSteps(validate, request, response, answer);
    }
    takeSteps(steps, request, response, (error) => {
      if (request.openapi) found.set(operation, request.openapi);
      answer(error);
    });
  };
}

function takeSteps(
  [step, ...rest]: readonly RequestHandler[],
  request: Request,
  response: Response,
  done: (error?: unknown) => void,
): void {
  if (!step) {
    done();
    return;
  }
  step(request, response, (error?: unknown) => {
    if (error) done(error);
    else takeSteps(rest, request, response, done);
  });
}
