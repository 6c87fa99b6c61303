// Checks a request by passing a copy through the server's steps in their order (app.ts), without the lookup of the key:
// the upstream knows its keys. Checks a response against the contract: its status, headers, media type and body.
import { isUtf8 } from "node:buffer";
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { Express, Request, Response } from "express";
import type { CitedViolation } from "../../contract/citation.js";
import type { Contract } from "../../contract/contract.js";
import { contentOf, covers, toBinaryText } from "../../contract/media-type.js";
import type { Operation } from "../../contract/model.js";
import { findResponse, operationFor, rejectionStatusOf } from "../../contract/operation.js";
import { splitTarget } from "../../contract/target.js";
import type { Violation, ViolationCode } from "../../contract/violation.js";
import { systemClock } from "../../core/domain/clock.js";
import { readKeys } from "../../core/request/authenticate.js";
import { createErrorResponse, ERRORS, RequestError, type RequestErrorCode } from "../../core/request/errors.js";
import { rejectedOf } from "../../core/request/exchange.js";
import { createExpressApp, createReadRequest, exchangeOf, openExchange } from "../../server/http/exchange.js";
import { translateError } from "../../server/http/handle-error.js";
import { findDecoder, isFurtherHeader } from "../model/response-laws.js";
import { BODY_LIMIT_BYTES, type ForwardedResponse } from "./forwarding.js";
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

export function createCheckResponse(contract: Contract) {
  /** `unchecked`: why the body was not checked. `responseBody`: undefined unless its shape is the contract's. */
  return async function checkResponse(
    roundTrip: RoundTrip,
    response: ForwardedResponse,
  ): Promise<{ violations: CitedViolation[]; unchecked?: string | undefined; responseBody?: unknown }> {
    const { operation, rejection } = roundTrip;
    const isOutside = !operation || rejection === 405; // by the contract
    if (isOutside && response.status < 400) return { violations: [] }; // another page of the upstream
    const { violations, unchecked, value } = await checkShape(roundTrip, response);
    const isShaped = !violations.some(({ location }) => location.startsWith("body"));
    const cited = cite(violations, roundTrip, response);
    return { violations: cited, unchecked, responseBody: isShaped ? value : undefined };
  };

  async function checkShape(
    { method, operation }: RoundTrip,
    response: ForwardedResponse,
  ): Promise<{ violations: Violation[]; unchecked?: string; value?: unknown }> {
    const { status, headers } = response;
    const declared = operation && findResponse(operation, status);
    const findViolations = (body?: unknown) =>
      operation || body !== undefined
        ? contract
            .checkResponse(operation, { status, headers, body })
            .filter((violation) => !isFurtherHeader(violation))
        : [];
    const withoutBody = findViolations();
    const isUndeclared = withoutBody.some(({ location }) => location === "status");
    if (isUndeclared || method === "HEAD" || status === 204 || status === 304) return { violations: withoutBody };
    const mediaTypes = declared ? declared.content.map(({ type }) => type) : contract.errorTypes;
    const body = await readBody(response, mediaTypes);
    if ("violation" in body) return { violations: [...withoutBody, body.violation] };
    if ("unchecked" in body) return { violations: withoutBody, unchecked: body.unchecked };
    return { violations: findViolations(body.value), value: body.value };
  }

  function cite(
    violations: readonly Violation[],
    { operation }: RoundTrip,
    response: ForwardedResponse,
  ): CitedViolation[] {
    return violations.map((violation) => {
      const { path: _path, ...reported } = violation; // the path may hold a key
      return { ...reported, ...contract.citeResponse(operation, response, violation) };
    });
  }
}

/** The value of the body, why it has none, or why it was not read. */
type ResponseBody = { value: unknown } | { violation: Violation } | { unchecked: string };

/** @param mediaTypes the declared ones; empty for a response without a body. */
async function readBody(
  { headers, body, error }: ForwardedResponse,
  mediaTypes: readonly string[],
): Promise<ResponseBody> {
  const headerOf = (name: string) => (headers[name] ?? []).join(",").toLowerCase();
  if (error) return invalid(`ended early: ${error.message}`);
  if (body.length === 0) return mediaTypes.length === 0 ? { value: undefined } : invalid("is missing");
  const mediaType = headerOf("content-type").split(";")[0]?.trim() ?? "";
  const expected = mediaTypes.length === 0 ? ["application/json"] : mediaTypes;
  if (!expected.some((range) => covers(range, mediaType)))
    return invalid(`must be ${expected.join(" or ")}, is ${mediaType || "missing"}`, "header.content-type");
  if (body.length > BODY_LIMIT_BYTES) return { unchecked: `the body is larger than ${BODY_LIMIT_BYTES} bytes` };
  const coding = headerOf("content-encoding");
  const decode = findDecoder(coding);
  if (!decode) return { unchecked: `the content coding ${coding} is not supported` };
  try {
    const bytes = await decode(body, { maxOutputLength: BODY_LIMIT_BYTES });
    const content = contentOf(mediaType);
    if (content === "json") return parse(bytes);
    return { value: content === "text" ? bytes.toString() : toBinaryText(bytes) };
  } catch (error) {
    const isLarge = (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE";
    return isLarge
      ? { unchecked: `the body is larger than ${BODY_LIMIT_BYTES} bytes once decoded` }
      : invalid(`is not valid ${coding}`);
  }
}

function parse(bytes: Buffer): ResponseBody {
  if (!isUtf8(bytes)) return invalid("is not UTF-8");
  const text = bytes.toString();
  if (isComplex(text))
    return { unchecked: `the body has more than ${MAX_ENTRIES} entries, or more than ${MAX_DEPTH} levels` };
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    const place = /at position \d+/.exec((error as Error).message); // the rest may quote the body, perhaps with a key
    return invalid(place ? `is not valid JSON (${place[0]})` : "is not valid JSON");
  }
}

// Ajv takes quadratic time for errors behind a $ref, and millions of levels overflow the stack.
const MAX_ENTRIES = 20_000;
const MAX_DEPTH = 200;

function isComplex(text: string): boolean {
  let [depth, entries, isQuoted] = [0, 0, false];
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (isQuoted && character === "\\") index += 1;
    else if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === "[" || character === "{") depth += 1;
    else if (character === "]" || character === "}") depth -= 1;
    else if (character === ",") entries += 1;
    if (depth > MAX_DEPTH || entries > MAX_ENTRIES) return true;
  }
  return false;
}

const invalid = (message: string, location = "body"): ResponseBody => ({ violation: { location, message } });
