// The contract's verdict on a request, by the server's own steps in the server's order (app.ts), taken by a copy of the
// request. Only the key is not looked up: whether there is such a key is the upstream's to know.
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { Express, Request, RequestHandler, Response } from "express";
import type { Citation } from "../contract/citation.js";
import type { Contract } from "../contract/contract.js";
import type { Operation } from "../contract/operations.js";
import { createKeyCheck } from "../http/authenticate.js";
import { RequestError, toErrorResponse } from "../http/errors.js";
import { createExpressApp } from "../http/express-app.js";
import { mountOperations } from "../http/mount-operations.js";
import { readBody } from "../http/read-body.js";
import { contextOf, type RequestContext, startContext } from "../http/request-context.js";
import { createValidateRequest } from "../http/validate-request.js";
import { toJsonFault } from "./decode-body.js";
import type { Breach } from "./report-entry.js";

export interface RequestVerdict {
  /** undefined for a path that is not of the contract. */
  operation: Operation | undefined;
  breaches: Breach[];
  /** The status that the contract answers to the breaches (D-47). */
  refusal: number | undefined;
  /** OPTIONS is CORS's, not the contract's (D-51). */
  isPreflight: boolean;
}

export interface SentRequest {
  method: string;
  /** Path and query. */
  target: string;
  headers: IncomingMessage["headers"];
  /** As much of it as was kept. */
  body: Buffer;
}

export type RequestCheck = (request: SentRequest) => Promise<RequestVerdict>;

export function createRequestCheck(contract: Contract): RequestCheck {
  const steps = createSteps(contract);
  const checkKey = createKeyCheck(() => true);
  return async function checkRequest(sent) {
    if (sent.method === "OPTIONS") return { operation: undefined, breaches: [], refusal: undefined, isPreflight: true };
    const request = toRequest(sent) as Request; // Express makes it one
    const response = Object.assign(new ServerResponse(request), { locals: {} }) as Response; // never written
    const context: RequestContext = { requestId: "", now: new Date() };
    startContext(response, context);
    // Of the key the server would speak alone; a report says all that is wrong.
    const keyError = errorOf(() => checkKey(request, response, () => {}));
    const stepError = await new Promise<unknown>((resolve) => steps(request, response, resolve));
    const { operation } = contextOf(response);
    const errors = [keyError, stepError].filter((error) => error);
    const refusals = errors.map((error) => toBreaches(error, request, context));
    return {
      operation,
      breaches: refusals.flatMap(({ breaches }) => breaches),
      refusal: refusals[0]?.status,
      isPreflight: false,
    };
  };
}

/** The steps of app.ts that validate. A request that passes them all leaves without an error. */
function createSteps(contract: Contract): Express {
  const app = createExpressApp();
  const validateRequest = createValidateRequest(contract);
  mountOperations(app, contract, {
    toSteps: (operation) => [...(operation.hasBody ? [readBody] : []), validateRequest(operation), leave], // D-72
    contractPath: "The contract",
    otherMethods: ["OPTIONS"],
  });
  return app;
}

const leave: RequestHandler = function leave(_request, _response, next) {
  next("router");
};

/** The copy that the steps read, and change. */
function toRequest({ method, target, headers, body }: SentRequest): IncomingMessage {
  const request = new IncomingMessage(new Socket()); // a socket that is never connected
  request.method = method;
  request.url = target;
  request.headers = { ...headers };
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

/**
 * An error of the steps as the breaches it stands for.
 * @throws the error itself when it is a fault of ours.
 */
function toBreaches(error: unknown, request: Request, context: RequestContext): { status: number; breaches: Breach[] } {
  const answer = toErrorResponse(error, request, context);
  if (!answer) throw error;
  const violations = error instanceof RequestError ? error.violations : undefined;
  if (violations) {
    const breaches = Object.entries(violations).map(([location, { messages, value: _value, ...reason }]) => ({
      location,
      message: messages.join("; "),
      ...reason,
    }));
    return { status: answer.status, breaches };
  }
  const { message, ctx } = answer.body as { message: string; ctx: Citation }; // every refusal has them
  const isParsing = (error as { type?: unknown }).type === "entity.parse.failed";
  const breach = { location: locationOf(error), message: isParsing ? toJsonFault(error as Error) : message, ...ctx };
  return { status: answer.status, breaches: [breach] };
}

const LOCATIONS: Readonly<Record<string, string>> = {
  unauthorized: "header.authorization",
  pathNotFound: "path",
  methodNotAllowed: "method",
  unsupportedMediaType: "header.content-type",
  undecodable: "query", // the validation refuses nothing else by this code
  "encoding.unsupported": "header.content-encoding",
  "charset.unsupported": "header.content-type",
};

/** Where the fault is that an error of the steps or of the body parser speaks of as a whole. */
function locationOf(error: unknown): string {
  if (error instanceof URIError) return "path"; // the router's
  const { code = "", type } = error as { code?: string; type?: string };
  if (code === "undecodable" && type !== undefined) return "body"; // refused while it was read
  return LOCATIONS[type ?? ""] ?? LOCATIONS[code] ?? "body";
}
