// Express's body parser (JSON in UTF-8, D-50, D-53), and what it reads as the input of an operation.
import { isUtf8 } from "node:buffer";
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import express, { type Request, type RequestHandler, type Response } from "express";
import typeIs from "type-is";
import type { Contract } from "../../contract/contract.js";
import { essenceOf, isJson } from "../../contract/media-type.js";
import { memoize } from "../../contract/memoize.js";
import type { MediaType, Operation } from "../../contract/model.js";
import { BODY_ERRORS } from "../../core/operations/error-response.js";
import { LIMITS } from "../../core/operations/limits.js";
import { findOperation, type Served } from "../../core/operations/routes.js";
import { type SentBody, validateRequest } from "../../core/operations/validate-request.js";
import { eovValidatorOf, runMiddleware } from "./eov-validator.js";
import { exchangeOf, type HttpExchange } from "./express-exchange.js";

const JSON_TYPE = "application/json";

type BodyOptions = NonNullable<Parameters<typeof express.json>[0]>;

const OPTIONS = {
  limit: LIMITS.bodyBytes,
  strict: false, // the contract rejects bodies of the wrong type
  verify(_request, response, bytes, charset) {
    exchangeOf(response as Response).sentBody = bytes;
    if (charset.toLowerCase() !== "utf-8") throw BODY_ERRORS.otherUtf();
    if (!isUtf8(bytes)) throw BODY_ERRORS.notUtf8();
  },
} satisfies BodyOptions;
const parse = express.json(OPTIONS);

type BodyOptionsOf = (operation: Operation) => BodyOptions | undefined;

/** Creates the function that parses the body of an operation, JSON or text as the contract declares it. */
export function createReadBody(optionsOf: BodyOptionsOf = () => undefined) {
  const parsersOf = memoize((operation: Operation) => createParsers(operation, optionsOf(operation)));
  return async function readBody(exchange: HttpExchange, operation: Operation): Promise<SentBody | undefined> {
    const { request, response } = exchange;
    for (const parser of parsersOf(operation)) await runMiddleware(parser, request, response);
    const isEmpty = exchange.sentBody?.length === 0; // the parser turns an empty body into {}
    const media = isEmpty ? undefined : selectMedia(request, operation.body?.content ?? []);
    return media && { value: request.body, media };
  };
}

function createParsers({ body }: Operation, own: BodyOptions | undefined): RequestHandler[] {
  const types = (body?.content ?? []).map(({ type }) => essenceOf(type)); // type-is compares without parameters
  const json = types.filter((type) => isJson(type) && type !== JSON_TYPE);
  const texts = types.filter((type) => !isJson(type));
  const options = own ?? OPTIONS;
  const parsers: RequestHandler[] = [own ? express.json(own) : parse];
  if (json.length > 0) parsers.push(express.json({ ...options, type: json }));
  if (texts.length > 0) parsers.push(express.text({ ...options, type: texts, defaultCharset: "utf-8" }));
  return parsers;
}

/** Creates the function that finds a request's operation and valid input, for the control plane and the proxy. */
export function createReadRequest(contract: Contract, served: Served, optionsOf?: BodyOptionsOf) {
  const readBody = createReadBody(optionsOf);
  const validate = eovValidatorOf(contract);
  return async function readRequest(exchange: HttpExchange): Promise<Operation> {
    const operation = findOperation(exchange, contract, served);
    const body = operation.body ? await readBody(exchange, operation) : undefined; // that of a GET is ignored (D-72)
    exchange.input = await validateRequest(exchange, operation, { contract, validate, body });
    return operation;
  };
}

/** Has the parser load its charsets now: at the first body, file descriptors may be short, which would be a 415. */
function loadCharsets(): void {
  const request = new IncomingMessage(new Socket()); // never connected
  Object.assign(request.headers, { "content-type": JSON_TYPE, "content-length": "0" });
  request.push(null);
  parse(request as Request, new ServerResponse(request) as Response, () => {});
}

loadCharsets();

/**
 * The declared form of a request's body; undefined if it has none.
 * @throws RequestError for a form that the contract does not declare (D-53)
 */
function selectMedia(request: Request, content: readonly MediaType[]): MediaType | undefined {
  const isEmpty = !typeIs.hasBody(request) || request.headers["content-length"] === "0";
  if (isEmpty) return undefined;
  const sent = request.headers["content-type"];
  const exact = content.find(({ type }) => essenceOf(type) === essenceOf(sent ?? ""));
  const media = exact ?? content.find(({ type }) => typeIs(request, [essenceOf(type)]) !== false);
  if (!media)
    throw BODY_ERRORS.mediaType(
      sent,
      content.map(({ type }) => type),
    );
  return media;
}
