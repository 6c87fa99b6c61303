// Express's own two steps: its body parser (JSON in UTF-8, D-50, D-53), and express-openapi-validator (EOV), which validates a copy
// of the request.
import { isUtf8 } from "node:buffer";
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import express, { type Request, type RequestHandler, type Response } from "express";
import { error as eovErrors } from "express-openapi-validator";
import { OpenApiValidator } from "express-openapi-validator/dist/openapi.validator.js";
import typeIs from "type-is";
import type { Contract } from "../../contract/contract.js";
import { memoize } from "../../contract/memoize.js";
import { type OpenApiDocument, type ParameterObject, pickComponents } from "../../contract/openapi-document.js";
import { isJson, mainContent, type Operation } from "../../contract/operations.js";
import {
  createValidateRequest,
  type SchemaError,
  type SentValues,
  type Validate,
} from "../../core/operations/check-request.js";
import { BODY_ERRORS } from "../../core/operations/errors.js";
import type { Step } from "../../core/operations/exchange.js";
import { LIMITS } from "../../core/operations/limits.js";
import { exchangeOf, type HttpExchange } from "./exchange.js";

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

/** Creates the step of one operation. In a proposal, it may also take JSON of another media type, and text. */
export function createReadBody({ object }: Operation, options: BodyOptions = OPTIONS): Step<HttpExchange> {
  const { content = {}, required = false } = object.requestBody ?? {};
  const types = Object.keys(content).map((type) => type.replace(/\s*;.*/s, "")); // type-is compares without parameters
  const others = types.filter((type) => type !== JSON_TYPE);
  const [json, texts] = [others.filter(isJson), others.filter((type) => !isJson(type))];
  const parsers = [
    options === OPTIONS ? parse : express.json(options),
    ...(json.length > 0 ? [express.json({ ...options, type: json })] : []),
    ...(texts.length > 0 ? [express.text({ ...options, type: texts, defaultCharset: "utf-8" })] : []),
  ];
  return async function readBody(exchange) {
    const { request, response } = exchange;
    for (const parser of parsers) await run(parser, request, response);
    exchange.isJsonBody = assertMediaType(request, { types, required });
    exchange.input.body = request.body;
    return undefined;
  };
}

/** Creates the handler that reads and validates an operation's requests, for the control plane and the proxy. */
export function createReadRequest(contract: Contract, operation: Operation, options?: BodyOptions): RequestHandler {
  const readBody = createReadBody(operation, options);
  const validateRequest = createValidateRequest(contract, operation, eovValidatorOf(contract));
  return async function readRequest(request, response, next) {
    const exchange = exchangeOf(response);
    exchange.operation = operation;
    exchange.input.path = request.params;
    if (operation.hasBody) await readBody(exchange); // the body of a GET means nothing (D-72)
    await validateRequest(exchange);
    next();
  };
}

function run(middleware: RequestHandler, request: Request, response: Response): Promise<void> {
  return new Promise((resolve, reject) => {
    middleware(request, response, (error?: unknown) => (error ? reject(error) : resolve()));
  });
}

/** Has the parser load its charsets now. It would load them for the first body, and respond with 415 if file descriptors are short then. */
function loadCharsets(): void {
  const request = new IncomingMessage(new Socket()); // never connected
  Object.assign(request.headers, { "content-type": JSON_TYPE, "content-length": "0" });
  request.push(null);
  parse(request as Request, new ServerResponse(request) as Response, () => {});
}

loadCharsets();

/**
 * Accepts JSON (D-53) and whatever else an operation declares. A body of another type was not parsed, so validation could not
 * distinguish it from a missing body.
 * @returns true if the body is JSON, or missing where JSON is required
 */
function assertMediaType(request: Request, { types, required }: { types: string[]; required: boolean }): boolean {
  const sent = request.headers["content-type"];
  const isEmpty = !typeIs.hasBody(request) || request.headers["content-length"] === "0";
  if (isEmpty) return required && types.some(isJson);
  const type = typeIs(request, types);
  if (type === false) throw BODY_ERRORS.mediaType(sent, types);
  return type === JSON_TYPE || isJson(type ?? "") || isJson(sent ?? "");
}

/**
 * EOV's validator alone. Its `middleware` would also look up the operation, which Express has just found, and compile OpenAPI's
 * meta-schema for each app, though the contract was validated when it was loaded. Apps share the validator of a contract, since
 * EOV takes a tenth of a second to compile it.
 */
export const eovValidatorOf = memoize(function createEovValidator(contract: Contract): Validate<HttpExchange> {
  const document = toRequestDocument(contract);
  const validator = new OpenApiValidator({
    apiSpec: document as never,
    validateApiSpec: false,
    validateRequests: { allErrors: true, allowUnknownQueryParameters: true },
    validateResponses: false, // would see res.json alone; --check-responses sees every response
    validateSecurity: false, // done by `authenticate`, before anything is parsed
    ajvFormats: { mode: "full" }, // "fast" accepts 2020-02-31
    fileUploader: false,
  });
  const specification = Promise.resolve({ apiDoc: document as never, basePaths: [], routes: [], serial: 0 });
  const validate = validator.installMiddleware(specification).at(-1) as RequestHandler; // the earlier ones look up the operation
  return async (operation, sent, exchange) => {
    const request = toEovRequest(document, operation, sent, exchange);
    const errors = await run(validate, request as unknown as Request, exchange.response).then(
      () => [],
      (error: unknown) => toSchemaErrors(error, sent.body),
    );
    return { errors, input: { path: request.params, query: request.query, body: request.body } };
  };
});

/** The request as EOV reads it. EOV coerces values and adds defaults in place. */
function toEovRequest(
  document: Pick<OpenApiDocument, "paths">,
  operation: Operation,
  { path: params, query, header, body }: SentValues,
  { path, target, isJsonBody = false }: HttpExchange,
) {
  const { path: expressRoute, method } = operation;
  const whole = document.paths[expressRoute]?.[method];
  const { "content-type": _contentType, ...headers } = header;
  return {
    method: method.toUpperCase(), // EOV knows the contract's methods only (D-65)
    path,
    // Not the target, which may be a whole URL (RFC 9112 §3.2.2) or have a fragment.
    originalUrl: withBlanks(operation, path + target.replace(/^[^?]*/, "")),
    query,
    params,
    // EOV caches a validator for each Content-Type text: always the same one, or its memory grows.
    headers: isJsonBody ? { ...headers, "content-type": JSON_TYPE } : headers,
    body: structuredClone(body),
    openapi: { expressRoute, pathParams: params, schema: isJsonBody ? whole : { ...whole, requestBody: undefined } },
  };
}

/** Encodes plus signs as blanks, which they are in a form; EOV takes them for reserved characters. */
function withBlanks({ parameters }: Operation, target: string): string {
  if (!target.includes("+")) return target;
  const literal = parameters.filter((parameter) => parameter["x-literal-plus"]).map(({ name }) => `${name}=`);
  const toBlanks = (pair: string) =>
    literal.some((start) => pair.startsWith(start)) ? pair : pair.replaceAll("+", "%20");
  const [path, query] = target.split(/\?(.*)/s);
  return query === undefined ? target : `${path}?${query.split("&").map(toBlanks).join("&")}`;
}

/** Translates EOV's errors, whose paths are `/query/limit`, `/headers/idempotency-key`, `/params/x`, `/body/channels/email`. */
function toSchemaErrors(error: unknown, body: unknown): SchemaError[] {
  if (!(error instanceof eovErrors.BadRequest) || error.errors.length === 0) throw error;
  const nameless = error.errors.some(({ path }) => path === "") ? findNameless(body, ["body"]) : [];
  return error.errors.map(({ path, message, errorCode = "" }) => {
    const keyword = errorCode.replace(".openapi.validation", "");
    // EOV gives no path for a member whose name is empty.
    if (path === "") return { path: nameless.shift() ?? ["body"], message, keyword };
    const parts = path.split("/").slice(1);
    const [source = "", ...names] = parts.map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
    return { path: [SOURCES[source] ?? source, ...names], message, keyword };
  });
}

/** Finds members with an empty name, which no schema of the contract has, outer ones first. */
function findNameless(value: unknown, path: string[]): string[][] {
  if (typeof value !== "object" || value === null) return [];
  const here = Object.hasOwn(value, "") ? [[...path, ""]] : [];
  return [...here, ...Object.entries(value).flatMap(([name, member]) => findNameless(member, [...path, name]))];
}

const SOURCES: Record<string, string> = { headers: "header", params: "path" };

/**
 * The parts of a document that describe requests, since EOV would compile the schemas of the responses as well. A copy, since EOV
 * mutates its input.
 */
function toRequestDocument({ document, operations }: Contract): Pick<OpenApiDocument, "paths"> {
  const { openapi, info, components } = document;
  const paths: Record<string, Record<string, object>> = {};
  for (const { path, method, parameters, object } of operations) {
    const [mediaType, media] = mainContent(object.requestBody?.content) ?? [];
    const requestBody = media && isJson(mediaType ?? "") && { ...object.requestBody, content: { [JSON_TYPE]: media } };
    const validated = parameters.filter(isValidated).map(withStyle);
    paths[path] = {
      ...paths[path],
      [method]: { parameters: validated, ...(requestBody && { requestBody }), responses: {} },
    };
  }
  const needed = { openapi, info, paths, components: pickComponents(paths, { ...document, components }) };
  return structuredClone(needed) as unknown as OpenApiDocument;
}

/** OpenAPI ignores declarations of these headers; cookies and deep objects are not supported. */
function isValidated({ in: where, name, style }: ParameterObject): boolean {
  const isIgnored = where === "header" && /^(accept|content-type|authorization)$/i.test(name);
  return !isIgnored && where !== "cookie" && style !== "deepObject";
}

/** Adds OpenAPI's defaults, which EOV does not know. A parameter with a media type cannot declare `allowReserved`. */
function withStyle(parameter: ParameterObject): ParameterObject {
  const { schema, ...others } = parameter;
  const { in: where, content, style = where === "query" ? "form" : "simple" } = parameter;
  if (content) return { ...others, allowReserved: true } as ParameterObject; // the schema is in `content`
  if (!["array", "object"].includes(String(schema.type))) return parameter;
  return { ...parameter, style, explode: parameter.explode ?? style === "form" };
}
