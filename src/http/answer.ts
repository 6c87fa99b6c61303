// An answer before it is written: every one of the API, errors included, is made in this form and written in one place.
import type { Response } from "express";
import type { Contract } from "../contract/contract.js";
import type { Operation } from "../contract/operations.js";
import type { Problem } from "../contract/schema-checker.js";
import { toJsonBytes } from "../domain/json-text.js";
import { contextOf } from "./request-context.js";

export interface Answer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: unknown;
}

/** An answer of ours that the contract does not allow: a bug, found by `--check-responses`. */
export class AnswerOutsideContractError extends Error {
  constructor(status: number, problems: Problem[]) {
    const list = problems.map(({ location, message }) => `${location} ${message}`).join("; ");
    super(`The answer (${status}) is outside the contract: ${list}`);
    this.name = "AnswerOutsideContractError";
  }
}

/** Writes an answer. Node leaves out the body of an answer to HEAD. */
export function writeAnswer(response: Response, { status, headers, body }: Answer): void {
  const bytes = toJsonBytes(body);
  const context = contextOf(response);
  context.answer = { body, bytes };
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.setHeader("Content-Type", "application/json; charset=utf-8"); // D-68
  const sent = context.isCutShort ? bytes.subarray(0, bytes.length / 2) : bytes;
  response.setHeader("Content-Length", sent.length);
  response.end(sent);
}

/**
 * Checks an answer as it would go out, with the headers that earlier steps have set.
 * @throws AnswerOutsideContractError
 */
export function assertInContract(
  contract: Contract,
  operation: Operation | undefined,
  response: Response,
  { status, headers, body }: Answer,
): void {
  const lowerCased = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  const all = { "content-type": "application/json", ...response.getHeaders(), ...Object.fromEntries(lowerCased) };
  // What is written is text: members that are undefined or dates are checked as they will arrive.
  const problems = contract.checkAnswer(operation, {
    status,
    headers: all,
    body: JSON.parse(toJsonBytes(body).toString()),
  });
  if (problems.length > 0) throw new AnswerOutsideContractError(status, problems);
}
