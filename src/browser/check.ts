import type { CitedViolation } from "../contract/citation.js";
import type { OperationId } from "../contract/contract-types.js";
import { readJson } from "../contract/json.js";
import type { Operation } from "../contract/model.js";
import { assertOptions, type OptionRule, suggestName, TEXT } from "../core/options.js";
import { createErrorResponse, type ErrorBody, violationsIn } from "../core/request/errors.js";
import { redactorOf } from "../core/request/redactor.js";
import { findOperation, validateRequest } from "../core/request/validate.js";
import { createBuiltContract, validate } from "./fetch/built-contract.js";
import { parseBody, receiveBody, toHeaderRecord } from "./fetch/fetch-exchange.js";
import { validators } from "./fetch/responses.gen.js";

export type { OperationId } from "../contract/contract-types.js";

export interface CheckOptions {
  /** Checks only requests whose URL begins with this, as in `https://api.example.com`. Default: all requests. */
  baseUrl?: string;
  /** Statuses of an invalid request that a test sends on purpose. Default: it throws, and is not sent. */
  except?: readonly number[];
}

export interface ContractViolation extends CitedViolation {
  /** A similar name that the contract has. */
  suggestion?: string;
}

/** A request or a response violates the contract. */
export class ContractViolationError extends Error {
  override name = "ContractViolationError";

  constructor(
    readonly subject: string,
    readonly violations: readonly ContractViolation[],
  ) {
    super(
      `${subject} violates the contract:${violations.map((violation) => `\n  ${formatViolation(violation)}`).join("")}`,
    );
  }
}

const contract = createBuiltContract(validators);

type Fetch = (input: Request | URL | string, init?: RequestInit) => Promise<Response>;

const OPTIONS: Record<keyof CheckOptions, OptionRule> = {
  baseUrl: TEXT,
  except: ["a list of statuses", Array.isArray],
};

/**
 * Wraps a fetch. The result rejects with a ContractViolationError if a request or its response violates the contract.
 * API keys are not checked.
 */
export function checkFetch(fetch: Fetch, options: CheckOptions = {}): Fetch {
  if (typeof fetch !== "function")
    throw new TypeError(
      `checkFetch: the first argument must be a function, as \`globalThis.fetch\`, not ${typeof fetch}.`,
    );
  assertOptions("checkFetch", options, OPTIONS);
  const { baseUrl = "", except } = options;
  return async function checkedFetch(input, init) {
    const request = new Request(input instanceof Request ? input.clone() : input, init);
    if (!request.url.startsWith(baseUrl)) return fetch(input, init);
    const { pathname, search } = new URL(request.url);
    const target = baseUrl === "" ? pathname + search : request.url.slice(baseUrl.replace(/\/$/, "").length);
    const { operation, violations } = await checkRequest(request, target);
    const { redactTarget } = redactorOf(contract, { headers: toHeaderRecord(request.headers), target }, "");
    const subject = `${request.method} ${redactTarget(target)}`;
    const error = new ContractViolationError(`The request ${subject}`, violations);
    if (violations.length > 0 && !except) throw error;
    const response = await fetch(input, init);
    if (violations.length > 0 && !except?.includes(response.status)) throw error;
    const found = response.type === "error" ? [] : await findViolations(operation, response, request.method === "HEAD");
    if (found.length === 0) return response;
    throw new ContractViolationError(`The response ${response.status} to ${subject}`, found);
  };
}

async function checkRequest(
  request: Request,
  target: string,
): Promise<{ operation: Operation | undefined; violations: ContractViolation[] }> {
  let operation: Operation | undefined;
  try {
    const { pathname } = new URL(target, "http://localhost");
    const { method, headers } = request;
    const exchange = {
      method,
      path: pathname,
      target,
      headers: toHeaderRecord(headers),
      input: { path: {}, query: {}, body: undefined },
    };
    operation = findOperation(exchange, contract.findPath(pathname), contract);
    const body = operation.body && (await parseBody(request, await receiveBody(request), operation.body.content));
    await validateRequest(exchange, operation, { contract, validate, body });
    return { operation, violations: [] };
  } catch (cause) {
    const rejection = createErrorResponse(cause, { path: target, now: new Date(), redact: (text) => text });
    if (!rejection) throw cause;
    const error = rejection.body as ErrorBody;
    if (!operation || !error.errors) {
      const { code: _code, ...citation } = error.ctx;
      return { operation, violations: [{ location: "request", message: error.message, ...citation }] };
    }
    const violations = violationsIn(error).map(({ messages, ...violation }) => {
      return { ...violation, message: messages.join(" and ") };
    });
    return { operation, violations };
  }
}

async function findViolations(
  operation: Operation | undefined,
  response: Response,
  isHead = false,
): Promise<ContractViolation[]> {
  const text = await response.clone().text();
  const wire = {
    status: response.status,
    headers: toHeaderRecord(response.headers),
    body: isHead ? undefined : readJson(text),
  };
  return contract
    .checkResponse(operation, wire)
    .filter(({ code }) => code !== "undeclaredHeader") // servers and gateways add some
    .map((violation) => ({
      location: violation.location,
      message: violation.message,
      ...contract.citeResponse(operation, wire, violation),
    }));
}

function operationOf(id: string): Operation {
  const operation = contract.operations.find((candidate) => candidate.id === id);
  if (operation) return operation;
  const ids = contract.operations.map((candidate) => candidate.id);
  throw new TypeError(`There is no operation \`${id}\`. ${suggestName(id, ids)}`);
}

/**
 * A matcher for Vitest and Jest: `expect.extend({ toKeepContract })`, then
 * `await expect(response).toKeepContract("listNotifications")`. Any other value is checked as the body of a 200.
 */
export async function toKeepContract(
  received: unknown,
  operation: OperationId,
): Promise<{ pass: boolean; message: () => string }> {
  const response = received instanceof Response ? received : Response.json(received);
  const violations = await findViolations(operationOf(operation), response);
  const { message } = new ContractViolationError(`The response ${response.status} of ${operation}`, violations);
  const kept = `The response ${response.status} of ${operation} keeps the contract.`;
  return { pass: violations.length === 0, message: () => (violations.length === 0 ? kept : message) };
}

function formatViolation({ location, message, clause, decision, suggestion }: ContractViolation): string {
  const citation = clause ?? decision;
  return `${location}: ${message}${citation ? ` (${citation})` : ""}${suggestion ? `. ${suggestion}` : ""}`;
}
