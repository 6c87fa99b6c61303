// Checks a request against the contract by passing a copy through the server's own steps in their order (app.ts). Skips
// only the lookup of the key: the upstream knows its keys.
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { Express, Request, Response } from "express";
import type { CitedViolation } from "../../contract/citation.js";
import type { Contract } from "../../contract/contract.js";
import type { Operation } from "../../contract/model.js";
import { operationFor, rejectionStatusOf } from "../../contract/operation.js";
import { splitTarget } from "../../contract/target.js";
import type { ViolationCode } from "../../contract/violation.js";
import { systemClock } from "../../core/domain/clock.js";
import { readKeys } from "../../core/request/authenticate.js";
import { createErrorResponse, ERRORS, RequestError, type RequestErrorCode } from "../../core/request/errors.js";
import { rejectedOf } from "../../core/request/exchange.js";
import { createExpressApp, createReadRequest, exchangeOf, openExchange } from "../../server/http/exchange.js";
import { translateError } from "../../server/http/handle-error.js";
import type { RoundTrip } from "./round-trip.js";

type RequestVerdict = Pick<RoundTrip, "operation" | "violations" | "rejection" | "rejected" | "requestBody">;

/** The check takes the request's body, or the part of it that was copied. */
export function createCheckRequest(contract: Contract) {
  const readRequest = createReadApp(contract);
  return async function checkRequest(roundTrip: RoundTrip, body: Buffer): Promise<RequestVerdict> {
    const request = createRequest(roundTrip, body) as Request; // Express completes it
    const response = Object.assign(new ServerResponse(request), { locals: {} }) as Response; // never written
    const errors: unknown[] = [];
    try {
      const match = contract.findPath(splitTarget(roundTrip.target).path);
      if (!mayBeOfOtherScheme(operationFor(match, roundTrip.method))) readKeys(roundTrip, match, contract);
    } catch (error) {
      errors.push(error); // the server would respond with this alone; the report lists every violation
    }
    errors.push(await new Promise<unknown>((resolve) => readRequest(request, response, resolve)));
    const rejections = errors.filter(Boolean).map((error) => {
      const rejection = translateError(error);
      if (rejection instanceof RequestError) return rejection;
      throw error; // a bug of ours
    });
    const exchange = exchangeOf(response);
    const { operation } = exchange;
    const [rejected] = rejections.map((error) => createErrorResponse(error, rejectedOf(exchange)));
    const isInvalid = operation && rejections[0]?.code === "invalidRequest";
    return {
      operation,
      violations: rejections.flatMap((rejection) => listViolations(rejection, roundTrip, operation)),
      rejection: isInvalid ? rejectionStatusOf(operation) : rejected?.status,
      rejected,
      requestBody: body.length > 0 ? request.body : undefined, // the parser turns an empty one into {}
    };
  };
}

/** True if a scheme that nothing here checks, such as basic, gives access in the place of a key. */
function mayBeOfOtherScheme(operation: Operation | undefined): boolean {
  return operation?.security.flat().some(({ isUnchecked }) => isUnchecked) === true;
}

/** Express completes the request. A valid one passes without an error. */
function createReadApp(contract: Contract): Express {
  const readRequest = createReadRequest(contract, { contractPath: "The contract" });
  const app = createExpressApp();
  app.use(async (request, response, next) => {
    await readRequest(openExchange(request, response, { clock: systemClock, contract }));
    next("router");
  });
  return app;
}

/** Copies the request, since the steps modify it. */
function createRequest({ method, target, headers }: RoundTrip, body: Buffer): IncomingMessage {
  const request = new IncomingMessage(new Socket()); // never connected
  Object.assign(request, { method, url: target, headers: { ...headers } });
  request.push(body);
  request.push(null);
  return request;
}

function listViolations(
  { code, message, violations }: RequestError,
  { headers }: RoundTrip,
  operation: Operation | undefined,
): CitedViolation[] {
  if (violations)
    return Object.entries(violations).map(([location, { messages, code: kind, clause, decision }]) => ({
      location,
      message: messages.join("; "),
      code: kind as ViolationCode,
      ...(clause !== undefined && { clause }),
      ...(decision !== undefined && { decision }),
    }));
  const coding = headers["content-encoding"] === undefined ? "header.content-type" : "header.content-encoding";
  const location = code === "unsupportedMediaType" ? coding : LOCATIONS[code];
  // The parser's message quotes the body, perhaps with a key.
  const text = code === "invalidJson" ? "The body is not valid JSON" : message;
  return [{ location: location ?? (operation ? "body" : "path"), message: text, ...ERRORS[code].citation }];
}

/** Locations of errors that name none. All others concern the body, or the path if no operation was found. */
const LOCATIONS: { readonly [Code in RequestErrorCode]?: string } = {
  unauthorized: "header.authorization",
  pathNotFound: "path",
  methodNotAllowed: "method",
  undecodableQuery: "query",
};
