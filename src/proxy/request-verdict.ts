// The contract's verdict on a request: a copy of it passes through the server's own steps in their order (app.ts). Only
// whether the key exists is not checked: the upstream knows.
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { Express, Request, RequestHandler, Response } from "express";
import { RequestError } from "../api/errors.js";
import type { Citation } from "../contract/citation.js";
import type { Contract } from "../contract/contract.js";
import type { Operation } from "../contract/operations.js";
import { createKeyCheck } from "../http/authenticate.js";
import { createExpressApp } from "../http/express-app.js";
import { toRejection as toRejectionResponse } from "../http/handle-error.js";
import { mountOperations } from "../http/mount-operations.js";
import { readBody } from "../http/read-body.js";
import { contextOf, type RequestContext, startContext } from "../http/request-context.js";
import { createValidateRequest } from "../http/validate-request.js";
import { toJsonMessage } from "./decode-body.js";
import type { CitedViolation } from "./report-entry.js";

export interface RequestVerdict {
  /** undefined for a path outside the contract. */
  operation: Operation | undefined;
  violations: CitedViolation[];
  /** The status with which the contract rejects the request (D-47). */
  rejection: number | undefined;
  /** OPTIONS belongs to CORS, not to the contract (D-51). */
  isPreflight: boolean;
}

export interface SentRequest {
  method: string;
  /** Path and query. */
  target: string;
  headers: IncomingMessage["headers"];
  /** As much of it as was copied. */
  body: Buffer;
}

export type RequestCheck = (request: SentRequest) => Promise<RequestVerdict>;

export function createRequestCheck(contract: Contract): RequestCheck {
  const steps = createSteps(contract);
  const checkKey = createKeyCheck(() => true);
  return async function checkRequest(sent) {
    if (sent.method === "OPTIONS")
      return { operation: undefined, violations: [], rejection: undefined, isPreflight: true };
    const request = toRequest(sent) as Request; // Express makes it one
    const response = Object.assign(new ServerResponse(request), { locals: {} }) as Response; // never written
    const context: RequestContext = { requestId: "", now: new Date() };
    startContext(response, context);
    // The server would respond with the key's error alone; the report lists every violation.
    const keyError = errorOf(() => checkKey(request, response, () => {}));
    const stepError = await new Promise<unknown>((resolve) => steps(request, response, resolve));
    const { operation } = contextOf(response);
    const errors = [keyError, stepError].filter((error) => error);
    const rejections = errors.map((error) => toRejection(error, request, context));
    return {
      operation,
      violations: rejections.flatMap(({ violations }) => violations),
      rejection: rejections[0]?.status,
      isPreflight: false,
    };
  };
}

/** The steps of app.ts that validate. A request that passes them all leaves without an error. */
function createSteps(contract: Contract): Express {
  const app = createExpressApp();
  const validateRequest = createValidateRequest(contract);
  mountOperations(app, contract, {
    createSteps: (operation) => [...(operation.hasBody ? [readBody] : []), validateRequest(operation), leave], // D-72
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

interface Rejection {
  status: number;
  violations: CitedViolation[];
}

/** @throws the error itself when it is a bug of ours. */
function toRejection(error: unknown, request: Request, context: RequestContext): Rejection {
  const response = toRejectionResponse(error, request, context);
  if (!response) throw error;
  const { status } = response;
  if (error instanceof RequestError && error.violations) {
    const violations = Object.entries(error.violations).map(([location, { messages, value: _value, ...citation }]) => ({
      location,
      message: messages.join("; "),
      ...citation,
    }));
    return { status, violations };
  }
  const { message, ctx } = response.body as { message: string; ctx: Citation }; // every error response has them
  const isParsing = (error as { type?: unknown }).type === "entity.parse.failed";
  const violation = {
    location: locationOf(error),
    message: isParsing ? toJsonMessage(error as Error) : message,
    ...ctx,
  };
  return { status, violations: [violation] };
}

const LOCATIONS: Readonly<Record<string, string>> = {
  unauthorized: "header.authorization",
  pathNotFound: "path",
  methodNotAllowed: "method",
  unsupportedMediaType: "header.content-type",
  undecodable: "query", // the validation has no other error with this code
  "encoding.unsupported": "header.content-encoding",
  "charset.unsupported": "header.content-type",
};

/** Where the violation is, for an error without locations. */
function locationOf(error: unknown): string {
  if (error instanceof URIError) return "path"; // the router's
  const { code = "", type } = error as { code?: string; type?: string };
  if (code === "undecodable" && type !== undefined) return "body"; // by the body parser
  return LOCATIONS[type ?? ""] ?? LOCATIONS[code] ?? "body";
}
