// The step that notes each request to the API for the log of requests, once it is answered.
import type { Request, RequestHandler, Response } from "express";
import type { Contract } from "../contract/contract.js";
import { contextOf } from "../http/request-context.js";
import { SECRET_HEADER, SECRET_PARAMETER } from "../http/secret-names.js";
import type { ControlSchemas } from "./control-schemas.js";
import { suggestPath, suggestPlace } from "./near-miss.js";
import type { AnsweredRequest, RequestHistory } from "./request-history.js";

type LoggedRequest = ControlSchemas["LoggedRequest"];
type Violation = ControlSchemas["Violation"];

const LONGEST_BYTES = 16_384;
const OVERHEAD_BYTES = 2_048; // headers and the rest, roughly

export function createRecordRequest(contract: Contract, history: RequestHistory): RequestHandler {
  return function recordRequest(request, response, next) {
    const started = performance.now();
    response.on("close", () => history.add(toAnswered(contract, request, response, performance.now() - started)));
    next();
  };
}

function toAnswered(contract: Contract, request: Request, response: Response, ms: number): AnsweredRequest {
  const { requestId, now, environment, operation, sentBody, answer, fault } = contextOf(response);
  // Only these are kept, not the request itself with its connection.
  const { rawHeaders, method, originalUrl: target } = request;
  const { authorization } = request.headers;
  const status = response.writableFinished ? response.statusCode : undefined;
  const refusal = status !== undefined && status >= 400 ? toRefusal(answer?.body) : undefined;
  return {
    environment: environment?.name,
    operation: operation?.id,
    method,
    status,
    bytes: OVERHEAD_BYTES + target.length + (refusal && answer ? answer.bytes.length : 0),
    body: sentBody?.subarray(0, LONGEST_BYTES),
    answer: answer?.bytes.subarray(0, LONGEST_BYTES),
    show(number, shown) {
      const hide = createHider(authorization);
      const { violations, message } = refusal ?? { violations: [] };
      const suggestion = status === 404 && operation === undefined ? suggestPath(contract, method, target) : undefined;
      return withoutUndefined({
        number,
        id: requestId,
        at: now.toISOString(),
        environment: environment?.name,
        operation: operation?.id as LoggedRequest["operation"],
        method,
        target: hide(target),
        headers: toHeaders(rawHeaders, hide),
        body: shown.body && hide(shown.body.toString("utf8")),
        status,
        answer: shown.answer && hide(shown.answer.toString("utf8")),
        milliseconds: Math.round(ms * 10) / 10,
        fault,
        message: message && hide(message),
        violations: violations.map((violation) =>
          withoutUndefined({
            ...violation,
            suggestion: operation && suggestPlace(contract, operation, violation.location),
          }),
        ),
        suggestion,
      });
    },
  };
}

function toRefusal(body: unknown): { message: string; violations: Violation[] } {
  // An error answer of ours: http/errors.ts has made it.
  const { message, errors = {} } = body as { message: string; errors?: Record<string, Omit<Violation, "location">> };
  const violations = Object.entries(errors).map(([location, { messages, clause, decision }]) =>
    withoutUndefined({ location, messages, clause, decision }),
  );
  return { message, violations };
}

/** Headers as they were sent, without what opens something. */
function toHeaders(rawHeaders: readonly string[], hide: (text: string) => string): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? "").toLowerCase();
    const value = hide(rawHeaders[index + 1] ?? "");
    headers[name] = Object.hasOwn(headers, name) ? `${headers[name]}, ${value}` : value;
  }
  for (const [name, value] of Object.entries(headers)) {
    if (name === "authorization") headers[name] = `${value.split(" ", 1)[0]} …`;
    else if (name === "cookie" || SECRET_HEADER.test(name)) headers[name] = "…";
  }
  return headers;
}

const PARAMETER = /([?&])([^?&=\s"]*)=[^&\s"]*/g; // each character is looked at once: the text is anybody's

/** Leaves out the key that was sent, wherever it was sent once more, and query parameters whose names say that they are one. */
function createHider(authorization: string | undefined): (text: string) => string {
  const key = authorization?.slice(authorization.indexOf(" ") + 1).trim() ?? "";
  return (text) => {
    const shown = text.replaceAll(PARAMETER, (whole, mark, name) =>
      SECRET_PARAMETER.test(name) ? `${mark}${name}=…` : whole,
    );
    return key === "" ? shown : shown.replaceAll(key, "…").replaceAll(encodeURIComponent(key), "…");
  };
}

type WithoutUndefined<T> = { [Name in keyof T]: Exclude<T[Name], undefined> };

function withoutUndefined<T extends object>(value: T): WithoutUndefined<T> {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as WithoutUndefined<T>;
}
