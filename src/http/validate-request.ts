// The contract's verdict on a request. express-openapi-validator (EOV) gives it; this step brings the request into the
// form that EOV reads, and its findings into the form that the contract promises: all at once, by location.
import { type Request, type RequestHandler, Router } from "express";
import * as OpenApiValidator from "express-openapi-validator";
import typeIs from "type-is";
import type { Contract } from "../contract/contract.js";
import { valueAt } from "../contract/openapi-document.js";
import type { Operation } from "../contract/operations.js";
import { RequestError, type Violation } from "./errors.js";
import { type Query, toQuery } from "./query.js";

interface Finding {
  location: string;
  message: string;
  value?: unknown;
}

type Step = (operation: Operation) => RequestHandler;

/** Makes the step of one operation; all share one EOV. */
export function createValidateRequest(contract: Contract): Step {
  const eov = createEov(contract);
  return (operation) =>
    function validateRequest(request, response, next) {
      assertMediaType(operation, request);
      const query = readQuery(operation, request);
      bringIntoForm(operation, request, query);
      const sent = structuredClone({ query: query.values, body: request.body, header: request.headers });
      eov(request, response, (error?: unknown) => {
        const unknown = query.unknown.map((name) => ({ location: `query.${name}`, message: UNKNOWN }));
        const findings = [...toFindings(error, sent), ...unknown];
        if (findings.length > 0) return next(toRequestError(findings, contract, operation));
        next(error);
      });
    };
}

function createEov(contract: Contract): RequestHandler {
  return Router().use(
    OpenApiValidator.middleware({
      // EOV changes the document it is given. Loading the contract has checked it already.
      apiSpec: structuredClone(contract.document) as never,
      validateApiSpec: false,
      validateRequests: { allErrors: true, allowUnknownQueryParameters: true },
      validateResponses: false, // it sees res.json alone; --check-responses sees every answer
      validateSecurity: false, // done by `authenticate`, before anything is parsed
      ajvFormats: { mode: "full" }, // "fast" lets 2020-02-31 pass
      fileUploader: false,
    }),
  ) as RequestHandler;
}

/** A body of another type was not parsed, so EOV could not tell it from none (D-53). */
function assertMediaType({ hasBody }: Operation, request: Request): void {
  if (!hasBody || !typeIs.hasBody(request) || request.headers["content-length"] === "0") return;
  if (typeIs(request, ["application/json"])) return;
  const sent = request.headers["content-type"];
  const what = sent === undefined ? "The body has no Content-Type." : "The Content-Type is not read.";
  throw new RequestError("unsupportedMediaType", `${what} Send "Content-Type: application/json".`);
}

function readQuery(operation: Operation, request: Request): Query {
  const start = request.originalUrl.indexOf("?");
  try {
    return toQuery(start === -1 ? "" : request.originalUrl.slice(start + 1), operation.parameters);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    throw new RequestError(
      "undecodable",
      "The query has a broken percent-encoding. Encode it with encodeURIComponent.",
    );
  }
}

function bringIntoForm(operation: Operation, request: Request, { values }: Query): void {
  // Express 5 has a getter here that parses anew on each access; EOV writes to what it gets.
  Object.defineProperty(request, "query", { value: values, writable: true, configurable: true, enumerable: true });
  // EOV keeps a compiled validator for each Content-Type text it has seen: one text alone, or its memory grows.
  if (operation.hasBody) request.headers["content-type"] = "application/json";
  else delete request.headers["content-type"];
  if (request.method === "HEAD") request.method = "GET"; // EOV knows the contract's methods only (D-65)
}

/** EOV's findings. Its paths are `/query/limit`, `/headers/idempotency-key`, `/params/x`, `/body/channels/email`. */
function toFindings(error: unknown, sent: Record<string, unknown>): Finding[] {
  if (!(error instanceof OpenApiValidator.error.BadRequest)) return [];
  const findings = error.errors.map(({ path, message, errorCode }) => {
    const parts = path.split("/").slice(1);
    const [source = "", ...names] = parts.map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
    const place = [SOURCES[source] ?? source, ...names];
    return { location: place.join("."), message: toMessage(message, errorCode), value: valueAt(sent, place) };
  });
  // A pattern beside a format says the same thing once more, and less readably.
  const formats = new Set(findings.filter(({ message }) => message.includes("format")).map(({ location }) => location));
  return findings.filter(({ location, message }) => !(formats.has(location) && message.includes("pattern")));
}

const SOURCES: Record<string, string> = { headers: "header", params: "path" };

function toMessage(message: string, errorCode: string | undefined): string {
  if (errorCode === "required.openapi.validation") return "is required";
  if (errorCode === "additionalProperties.openapi.validation") return UNKNOWN;
  return message;
}

const UNKNOWN = "is not known here";

function toRequestError(findings: Finding[], contract: Contract, operation: Operation): RequestError {
  const violations = new Map<string, Violation>();
  for (const { location, message, value } of findings) {
    const { reason, known } = contract.placeOf(operation, location);
    const violation: Violation = violations.get(location) ?? {
      messages: [],
      ...(value === undefined ? {} : { value }),
      ...reason,
    };
    violation.messages.push(known && known.length > 0 ? `${message}; known are ${known.join(", ")}` : message);
    violations.set(location, violation);
  }
  const list = [...violations].map(([location, { messages }]) => `${location} ${messages.join(" and ")}`);
  return new RequestError("invalidRequest", list.join(". "), { violations: Object.fromEntries(violations) });
}
