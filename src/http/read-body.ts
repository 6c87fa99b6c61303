// The body parser: JSON in UTF-8 (D-50, D-53), within the limit of the contract.
import { isUtf8 } from "node:buffer";
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import express, { type NextFunction, type Request, type Response } from "express";
import { BODY_ERRORS } from "../api/errors.js";
import { LIMITS } from "../api/limits.js";
import { contextOf } from "./request-context.js";

const parse = express.json({
  limit: LIMITS.bodyBytes,
  strict: false, // a body of the wrong type is rejected by the contract
  verify(_request, response, bytes, charset) {
    contextOf(response as Response).sentBody = bytes;
    if (charset !== "utf-8") throw BODY_ERRORS.otherUtf();
    if (!isUtf8(bytes)) throw BODY_ERRORS.notUtf8();
  },
});

export function readBody(request: Request, response: Response, next: NextFunction): void {
  parse(request, response, next);
}

/** Loads what the parser would load with the first body: its charsets. If a lack of file descriptors prevents it then, the response is 415. */
function loadCharsets(): void {
  const request = new IncomingMessage(new Socket()); // a socket that is never connected
  Object.assign(request.headers, { "content-type": "application/json", "content-length": "0" });
  request.push(null);
  parse(request as Request, new ServerResponse(request) as Response, () => {});
}

loadCharsets();
