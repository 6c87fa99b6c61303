// Validates a request against the contract. express-openapi-validator (EOV) does it; this step brings the request into the
// form that EOV reads, and its errors into the form that the contract promises: every violation, by location.
import type { Request, RequestHandler } from "express";
import { error as eovErrors } from "express-openapi-validator";
import { assertBodyDepth } from "../api/body-depth.js";
import { createFindCoercions, type SchemaError, toInvalidRequest, toViolations } from "../api/invalid-request.js";
import { createReadQuery } from "../api/query.js";
import type { Contract } from "../contract/contract.js";
import type { Operation } from "../contract/operations.js";
import { assertMediaType } from "./media-type.js";
import { requestValidatorOf } from "./request-validator.js";

type Step = (operation: Operation) => RequestHandler;

/** Makes the step of one operation; all share one EOV. */
export function createValidateRequest(contract: Contract): Step {
  const validate = requestValidatorOf(contract);
  return (operation) => {
    const readQuery = createReadQuery(operation);
    const findCoercions = createFindCoercions(operation);
    return function validateRequest(request, response, next) {
      assertMediaType(operation, request);
      assertBodyDepth(contract, operation, request.body);
      const query = readQuery(request.originalUrl);
      const coercions = findCoercions(query); // now: EOV coerces the values in place
      const original = {
        ...(operation.hasBody && { body: structuredClone(request.body) }),
        header: { ...request.headers },
      };
      normalize(operation, request, query.values);
      validate(operation, request, response, (error) => {
        const errors = toSchemaErrors(error, original.body);
        const violations = [
          ...(errors.length > 0
            ? toViolations(errors, { ...original, query: readQuery(request.originalUrl).values })
            : []),
          ...coercions,
        ];
        next(violations.length > 0 ? toInvalidRequest(violations, contract, operation) : error);
      });
    };
  };
}

/** Brings a request into the form that EOV reads. */
function normalize(operation: Operation, request: Request, values: Request["query"]): void {
  request.query = values;
  // EOV keeps a compiled validator for each Content-Type text it has seen: one text alone, or its memory grows.
  if (operation.hasBody) request.headers["content-type"] = "application/json";
  else if (request.headers["content-type"] !== undefined) delete request.headers["content-type"];
  if (request.method === "HEAD") request.method = "GET"; // EOV knows the contract's methods only (D-65)
  // EOV looks the operation up by this text. It may hold a whole URL (RFC 9112 §3.2.2) or a fragment, which are no path.
  request.originalUrl = request.path + request.originalUrl.replace(/^[^?]*/, "");
}

/** EOV's errors. Its paths are `/query/limit`, `/headers/idempotency-key`, `/params/x`, `/body/channels/email`. */
function toSchemaErrors(error: unknown, body: unknown): SchemaError[] {
  if (!(error instanceof eovErrors.BadRequest)) return [];
  const nameless = error.errors.some(({ path }) => path === "") ? findNameless(body, ["body"]) : [];
  return error.errors.map(({ path, message, errorCode = "" }) => {
    const keyword = errorCode.replace(".openapi.validation", "");
    // Of a member whose name is empty EOV gives no path at all.
    if (path === "") return { path: nameless.shift() ?? ["body"], message, keyword };
    const parts = path.split("/").slice(1);
    const [source = "", ...names] = parts.map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
    return { path: [SOURCES[source] ?? source, ...names], message, keyword };
  });
}

/** The places of members with an empty name, outer ones first. No schema of the contract knows such a name. */
function findNameless(value: unknown, path: string[]): string[][] {
  if (typeof value !== "object" || value === null) return [];
  const here = Object.hasOwn(value, "") ? [[...path, ""]] : [];
  return [...here, ...Object.entries(value).flatMap(([name, member]) => findNameless(member, [...path, name]))];
}

const SOURCES: Record<string, string> = { headers: "header", params: "path" };
