// The body parser: JSON in UTF-8 (D-50, D-53), within the limit of the contract.
import { isUtf8 } from "node:buffer";
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import express, { type Request, type RequestHandler, type Response } from "express";
import { BODY_ERRORS } from "../api/errors.js";
import { LIMITS } from "../api/limits.js";
import { isJson, type Operation } from "../contract/operations.js";
import { contextOf } from "./request-context.js";

const options = {
  limit: LIMITS.bodyBytes,
  strict: false, // a body of the wrong type is rejected by the contract
  verify(_request: IncomingMessage, response: ServerResponse, bytes: Buffer, charset: string) {
    contextOf(response as Response).sentBody = bytes;
    if (charset.toLowerCase() !== "utf-8") throw BODY_ERRORS.otherUtf();
    if (!isUtf8(bytes)) throw BODY_ERRORS.notUtf8();
  },
};
const parse = express.json(options);

/** Makes the step of one operation: of a proposal, it may take JSON of another media type, and text. */
export function createReadBody({ object }: Operation): RequestHandler[] {
  const others = Object.keys(object.requestBody?.content ?? {}).filter((type) => type !== "application/json");
  const [json, texts] = [others.filter(isJson), others.filter((type) => !isJson(type))];
  return [
    function readBody(request, response, next) {
      parse(request, response, next);
    },
    ...(json.length > 0 ? [express.json({ ...options, type: json })] : []),
    ...(texts.length > 0 ? [express.text({ ...options, type: texts, defaultCharset: "utf-8" })] : []),
  ];
}

/** Loads what the parser would load with the first body: its charsets. If a lack of file descriptors prevents it then, the response is 415. */
function loadCharsets(): void {
  const request = new IncomingMessage(new Socket()); // a socket that is never connected
  Object.assign(request.headers, { "content-type": "application/json", "content-length": "0" });
  request.push(null);
  parse(request as Request, new ServerResponse(request) as Response, () => {});
}

loadCharsets();
