// The one place where responses are sent, errors included, and where they can be checked before.
import type { Response } from "express";
import type { HttpResponse } from "../api/errors.js";
import type { Contract } from "../contract/contract.js";
import { isJson, type Operation } from "../contract/operations.js";
import type { Violation } from "../contract/violation.js";
import { JsonText } from "../domain/notifications.js";
import { contextOf } from "./request-context.js";

/** A response of ours that violates the contract: a bug, found by `--check-responses`. */
export class ResponseViolationError extends Error {
  constructor(status: number, violations: Violation[]) {
    const list = violations.map(({ location, message }) => `${location} ${message}`).join("; ");
    super(`The response (${status}) violates the contract: ${list}`);
    this.name = "ResponseViolationError";
  }
}

/** Sends a response. Node leaves out the body of a response to HEAD. */
export function sendResponse(response: Response, result: HttpResponse): void {
  const context = contextOf(response);
  const { status, headers, body, mediaType } = context.adapt?.(result) ?? result;
  const bytes = toBytes(body, mediaType, context.isOpenedByBrowser);
  context.response = { body, bytes };
  context.releaseKey?.(); // before the client can have the response and send the next request
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (body === undefined) return void response.end();
  response.setHeader("Content-Type", mediaType ?? JSON_TYPE);
  response.setHeader("Content-Length", bytes.length);
  response.end(bytes);
}

const JSON_TYPE = "application/json; charset=utf-8"; // D-68

function toBytes(body: unknown, mediaType: string | undefined, isIndented?: boolean): Buffer {
  if (body === undefined) return Buffer.alloc(0);
  return mediaType === undefined || isJson(mediaType) ? toJsonBytes(body, { isIndented }) : Buffer.from(String(body));
}

/**
 * Checks a response as it would be sent, with the headers that earlier steps have set.
 * @throws ResponseViolationError
 */
export function assertInContract(
  contract: Contract,
  operation: Operation | undefined,
  response: Response,
  result: HttpResponse,
): void {
  const { status, headers, body, mediaType = JSON_TYPE } = contextOf(response).adapt?.(result) ?? result;
  const lowerCased = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  const allHeaders = {
    ...(body === undefined ? {} : { "content-type": mediaType }),
    ...response.getHeaders(),
    ...Object.fromEntries(lowerCased),
  };
  // Sent as text: members that are undefined or dates are checked as they will arrive.
  const violations = contract.checkResponse(operation, {
    status,
    headers: allHeaders,
    body: isJson(mediaType) && body !== undefined ? JSON.parse(toJsonBytes(body).toString()) : body,
  });
  if (violations.length > 0) throw new ResponseViolationError(status, violations);
}

/** A value as JSON in UTF-8. */
export function toJsonBytes(value: unknown, { isIndented = false }: { isIndented?: boolean | undefined } = {}): Buffer {
  if (!(value instanceof JsonText)) return Buffer.from(JSON.stringify(value, null, isIndented ? 2 : undefined));
  return Buffer.concat(value.parts.map((part) => (typeof part === "string" ? Buffer.from(part) : part)));
}
