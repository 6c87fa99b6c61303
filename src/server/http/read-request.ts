// Express as the servers use it: an empty app, the parsers of bodies (JSON in UTF-8, D-50, D-53), and what they read
// as the input of an operation.
import { isUtf8 } from "node:buffer";
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import express, { type Express, type Request, type RequestHandler, type Response } from "express";
import type { Contract } from "../../contract/contract.js";
import { contentOf, essenceOf, findMedia, toBinaryText } from "../../contract/media-type.js";
import { memoize } from "../../contract/memoize.js";
import type { Operation } from "../../contract/model.js";
import { BODY_ERRORS } from "../../core/request/errors.js";
import { LIMITS } from "../../core/request/limits.js";
import { type ErrorHints, findOperation, type ParsedBody, validateRequest } from "../../core/request/validate.js";
import { eovValidatorOf, runMiddleware } from "./eov-validator.js";
import { exchangeOf, type HttpExchange } from "./exchange.js";

/** An empty app: app.ts lists the middleware. */
export function createExpressApp(): Express {
  const app = express();
  app.disable("x-powered-by");
  app.set("etag", false); // a 304 is not in the contract
  app.set("strict routing", true);
  app.set("case sensitive routing", true);
  // Express has a getter here that parses again on each access. Steps that need a query read it by the contract.
  Object.defineProperty(app.request, "query", { value: undefined, writable: true, configurable: true });
  return app;
}

const MEDIA_TYPE = "application/json";

type BodyOptions = NonNullable<Parameters<typeof express.json>[0]>;

const keepBytes: NonNullable<BodyOptions["verify"]> = (_request, response, bytes) => {
  exchangeOf(response as Response).sentBody = bytes;
};

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

/** Creates the function that parses the body of an operation, as JSON, text or bytes by its media type. */
export function createReadBody(optionsOf: BodyOptionsOf = () => undefined) {
  const parsersOf = memoize((operation: Operation) => createParsers(operation, optionsOf(operation)));
  return async function readBody(exchange: HttpExchange, operation: Operation): Promise<ParsedBody | undefined> {
    const { request, response } = exchange;
    for (const parser of parsersOf(operation)) await runMiddleware(parser, request, response);
    const { "content-length": length = 0, "transfer-encoding": encoding } = request.headers;
    const isEmpty = (encoding === undefined && Number(length) === 0) || exchange.sentBody?.length === 0;
    if (isEmpty) return undefined; // the parser turns it into {}
    return { value: Buffer.isBuffer(request.body) ? toBinaryText(request.body) : request.body };
  };
}

/**
 * The parsers of an operation's body, each for its media types:
 *   application/json                          as JSON, even if the operation declares another type
 *   another JSON that the operation declares  as JSON: application/merge-patch+json
 *   a text that it declares                   as text: text/csv
 *   any other                                 as bytes. Validation rejects one that it does not declare.
 */
function createParsers({ body }: Operation, own: BodyOptions | undefined): RequestHandler[] {
  const content = body?.content ?? [];
  const options = own ?? OPTIONS;
  const usual = own ? express.json(own) : parse;
  if (content.every(({ type }) => essenceOf(type) === MEDIA_TYPE)) return [usual];
  const isOf =
    (wanted: ReturnType<typeof contentOf>) =>
    ({ headers: { "content-type": type = "" } }: IncomingMessage) =>
      contentOf(findMedia(content, type) ? type : "") === wanted;
  return [
    usual,
    express.json({ ...options, type: isOf("json") }),
    express.text({ ...options, type: isOf("text"), defaultCharset: "utf-8" }),
    express.raw({ ...options, type: isOf("bytes"), verify: keepBytes }),
  ];
}

/** The log has no more of a body. */
export const LOGGED_BYTES = 8_192;

/**
 * Keeps a short body that nothing has read, as of a request with an unknown path or media type, while Node discards
 * what arrives. The response does not wait for it.
 */
export function keepUnreadBody(exchange: HttpExchange): void {
  const { request, sentBody } = exchange;
  const { "content-length": length = 0, "content-encoding": encoding } = request.headers;
  const isShort = Number(length) > 0 && Number(length) <= LOGGED_BYTES && encoding === undefined;
  if (sentBody || request.readableDidRead || !isShort) return;
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  exchange.arrival = new Promise((resolve) => {
    const end = () => {
      request.socket.off("close", end);
      if (chunks.length > 0) exchange.sentBody = Buffer.concat(chunks);
      resolve();
    };
    request.once("end", end);
    request.socket.once("close", end); // Node ends no request whose response is complete
  });
}

/** Creates the function that finds a request's operation and valid input, for the control plane and the proxy. */
export function createReadRequest(contract: Contract, hints: ErrorHints, optionsOf?: BodyOptionsOf) {
  const readBody = createReadBody(optionsOf);
  const validate = eovValidatorOf(contract);
  return async function readRequest(exchange: HttpExchange): Promise<Operation> {
    const operation = findOperation(exchange, contract.findPath(exchange.path), contract, hints);
    const body = operation.body ? await readBody(exchange, operation) : undefined; // that of a GET is ignored (D-72)
    exchange.input = await validateRequest(exchange, operation, { contract, validate, body });
    return operation;
  };
}

/** Has the parser load its charsets now: at the first body, file descriptors may be short, which would be a 415. */
function loadCharsets(): void {
  const request = new IncomingMessage(new Socket()); // never connected
  Object.assign(request.headers, { "content-type": MEDIA_TYPE, "content-length": "0" });
  request.push(null);
  parse(request as Request, new ServerResponse(request) as Response, () => {});
}

loadCharsets();
