// The step for `Prefer` (D-71), which the mock and the reference server share. It changes no state.
import type { NextFunction, RequestHandler, Response } from "express";
import { responsesOf } from "../adapt/mock-response.js";
import { applyPreferHeader } from "../api/prefer.js";
import type { Contract } from "../contract/contract.js";
import type { Operation } from "../contract/operations.js";
import { delayResponse } from "./delay-response.js";
import { assertInContract, sendResponse } from "./response.js";

export interface PreferOptions {
  /** Check every response against the contract before it is sent. */
  checkResponses: boolean;
  /** Aborts when the server stops: delayed responses are sent at once. */
  stopping?: AbortSignal | undefined;
}

export function createPrefer(contract: Contract, options: PreferOptions): (operation: Operation) => RequestHandler {
  return (operation) => {
    return function prefer(request, response, next) {
      response.appendHeader("Vary", "Prefer"); // RFC 7240 §2: whether or not this request has the header
      const header = request.get("prefer");
      return header === undefined ? next() : follow(header, response, next);
    };

    async function follow(header: string, response: Response, next: NextFunction): Promise<void> {
      const choice = applyPreferHeader(header, responsesOf(contract, operation), operation);
      if (!choice) return next();
      response.setHeader("Preference-Applied", choice.applied);
      await delayResponse(choice.delayMs, response, options.stopping);
      if (!choice.response) return next(); // also when the client has gone: without a delay the request would have counted
      if (options.checkResponses) assertInContract(contract, operation, response, choice.response);
      sendResponse(response, choice.response);
    }
  };
}
