// Which bodies are accepted: JSON, and nothing else (D-53).
import type { Request } from "express";
import typeIs from "type-is";
import { BODY_ERRORS } from "../api/body-errors.js";
import type { Operation } from "../contract/operations.js";

const JSON_TYPE = "application/json";

/** A body of another type was not parsed, so that the contract's check could not distinguish it from a missing body. */
export function assertMediaType({ hasBody }: Operation, request: Request): void {
  if (!hasBody || request.headers["content-type"] === JSON_TYPE) return;
  if (!typeIs.hasBody(request) || request.headers["content-length"] === "0") return;
  if (typeIs(request, [JSON_TYPE])) return;
  throw BODY_ERRORS.mediaType(request.headers["content-type"]);
}
