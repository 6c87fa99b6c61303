// The contract's verdict on a request: a copy of it passes through the server's own steps in their order (app.ts). Only
// whether the key exists is not checked: the upstream knows.
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { Express, Request, Response } from "express";
import type { CitedViolation } from "../../contract/citation.js";
import type { Contract } from "../../contract/contract.js";
import { rejectionStatusOf } from "../../contract/operations.js";
import { type ErrorBody, type HttpResponse, violationsIn } from "../../core/operations/errors.js";
import { createReadKey } from "../../core/request-steps.js";
import { exchangeOf, openExchange } from "../../server/http/exchange.js";
import { createExpressApp, mountOperations } from "../../server/http/express-app.js";
import { toRejection } from "../../server/http/handle-error.js";
import { createReadRequest } from "../../server/http/read-request.js";
import type { Exchange } from "./exchange.js";

export type RequestVerdict = Pick<Exchange, "operation" | "violations" | "rejection" | "rejected" | "requestBody">;

/** The function that it creates takes the request's body, or as much of it as was copied. */
export function createCheckRequest(contract: Contract) {
  const steps = createSteps(contract);
  const readKey = createReadKey(contract);
  return async function checkRequest(exchange: Exchange, body: Buffer): Promise<RequestVerdict> {
    const request = toRequest(exchange, body) as Request; // Express makes it one
    const response = Object.assign(new ServerResponse(request), { locals: {} }) as Response; // never written
    // The server would respond with the key's error alone; the report lists every violation.
    const errors = [
      errorOf(() => readKey({ ...exchange, path: exchange.target.split("?")[0] ?? "" })),
      await new Promise<unknown>((resolve) => steps(request, response, resolve)),
    ].filter((error) => error);
    const checked = exchangeOf(response);
    const rejections = errors.map((error) => {
      const rejection = toRejection(error, checked);
      if (rejection) return rejection;
      throw error; // a bug of ours
    });
    const { operation } = checked;
    const violations = rejections.flatMap((rejection) => listViolations(rejection, { ...exchange, operation }));
    const requestBody = body.length > 0 ? request.body : undefined; // the parser makes an empty one {}
    const [rejected] = rejections;
    const isInvalid = operation && rejected?.status === 422;
    const rejection = isInvalid ? rejectionStatusOf(operation) : rejected?.status;
    return { operation, violations, rejection, rejected, requestBody };
  };
}

/** The steps that validate. A request that passes them all leaves without an error. */
function createSteps(contract: Contract): Express {
  const app = createExpressApp();
  app.use((request, response, next) => {
    openExchange(request, response, { now: new Date(), contract });
    next();
  });
  mountOperations(app, contract, {
    createHandlers: (operation) => [
      createReadRequest(contract, operation),
      (_request, _response, next) => next("router"),
    ],
    contractPath: "The contract",
    otherMethods: ["OPTIONS"],
  });
  return app;
}

/** The copy that the steps read, and change. */
function toRequest({ method, target, headers }: Exchange, body: Buffer): IncomingMessage {
  const request = new IncomingMessage(new Socket()); // a socket that is never connected
  Object.assign(request, { method, url: target, headers: { ...headers } });
  request.push(body);
  request.push(null);
  return request;
}

function errorOf(step: () => unknown): unknown {
  try {
    step();
    return undefined;
  } catch (error) {
    return error;
  }
}

function listViolations({ status, body }: HttpResponse, exchange: Exchange): CitedViolation[] {
  const error = body as ErrorBody; // every error response of ours
  const { message, ctx } = error;
  if (!error.errors)
    return [{ location: locationOf(status, message, exchange), message: withoutText(message), ...ctx }];
  return violationsIn(error).map(({ messages, ...violation }) => ({ ...violation, message: messages.join("; ") }));
}

const LOCATIONS: Readonly<Record<number, string>> = { 401: "header.authorization", 404: "path", 405: "method" };

/** The place of the violation, for an error without locations. */
function locationOf(status: number, message: string, { headers, operation }: Exchange): string {
  if (status === 415) return headers["content-encoding"] ? "header.content-encoding" : "header.content-type";
  if (!operation) return LOCATIONS[status] ?? "path"; // one that cannot be decoded
  return LOCATIONS[status] ?? (message.startsWith("The query") ? "query" : "body");
}

/** The parser of JSON quotes the body, and with it perhaps a key. */
function withoutText(message: string): string {
  return message.replace(/(?<=not valid JSON): .*/s, "");
}
