// Validates a request against the contract. express-openapi-validator (EOV) does it; this step brings the request into the
// form that EOV reads, and its errors into the form that the contract promises: every violation, by location.

import type { Request, RequestHandler, Response } from "express";
import { error as eovErrors } from "express-openapi-validator";
import { OpenApiValidator } from "express-openapi-validator/dist/openapi.validator.js";
import typeIs from "type-is";
import {
  assertBodyDepth,
  createFindCoercions,
  createReadQuery,
  restoreDigits,
  type SchemaError,
  toInvalidRequest,
  toViolations,
} from "../api/check-request.js";
import { BODY_ERRORS } from "../api/errors.js";
import type { Contract } from "../contract/contract.js";
import { memoize } from "../contract/memoize.js";
import { type OpenApiDocument, type ParameterObject, pickComponents } from "../contract/openapi-document.js";
import { isJson, mainContent, type Operation } from "../contract/operations.js";

type Step = (operation: Operation) => RequestHandler;

/** Makes the step of one operation; all share one EOV. */
export function createValidateRequest(contract: Contract): Step {
  const validate = requestValidatorOf(contract);
  return (operation) => {
    const readQuery = createReadQuery(operation);
    const findCoercions = createFindCoercions(operation);
    return function validateRequest(request, response, next) {
      const isJsonBody = assertMediaType(operation, request);
      assertBodyDepth(contract, operation, request.body);
      const query = readQuery(request.originalUrl);
      const coercions = findCoercions(query); // now: EOV coerces the values in place
      const original = {
        ...(operation.hasBody && { body: structuredClone(request.body) }),
        header: { ...request.headers },
      };
      normalize(operation, isJsonBody, request, query.values);
      const target = request.originalUrl;
      request.originalUrl = withBlanks(operation, target);
      validate(operation, request, response, (error) => {
        request.originalUrl = target;
        const errors = toSchemaErrors(error, original.body);
        const violations = [
          ...(errors.length > 0
            ? toViolations(errors, { ...original, query: readQuery(request.originalUrl).values })
            : []),
          ...coercions,
        ];
        if (!error) restoreDigits(request.query, () => readQuery(request.originalUrl));
        next(violations.length > 0 ? toInvalidRequest(violations, contract, operation) : error);
      });
    };
  };
}

/** Brings a request into the form that EOV reads. */
function normalize({ method }: Operation, isJsonBody: boolean, request: Request, values: Request["query"]): void {
  request.query = values;
  // EOV keeps a compiled validator for each Content-Type text it has seen: one text alone, or its memory grows.
  if (isJsonBody) request.headers["content-type"] = "application/json";
  else if (request.headers["content-type"] !== undefined) delete request.headers["content-type"];
  if (request.method === "HEAD" && method === "get") request.method = "GET"; // EOV knows the contract's methods only (D-65)
  // EOV looks the operation up by this text. It may hold a whole URL (RFC 9112 §3.2.2) or a fragment, which are no path.
  request.originalUrl = request.path + request.originalUrl.replace(/^[^?]*/, "");
}

/** A plus sign is a blank in a form, and a reserved character to EOV. */
function withBlanks({ parameters }: Operation, target: string): string {
  if (!target.includes("+")) return target;
  const literal = parameters.filter((parameter) => parameter["x-literal-plus"]).map(({ name }) => `${name}=`);
  const toBlanks = (pair: string) =>
    literal.some((start) => pair.startsWith(start)) ? pair : pair.replaceAll("+", "%20");
  const [path, query] = target.split(/\?(.*)/s);
  return query === undefined ? target : `${path}?${query.split("&").map(toBlanks).join("&")}`;
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

const JSON_TYPE = "application/json";

/**
 * Only JSON is accepted (D-53), or what else an operation declares. A body of another type was not parsed, so that the contract's
 * check could not distinguish it from a missing body.
 * @returns whether the body is JSON, or there is none where JSON is required.
 */
function assertMediaType({ hasBody, object }: Operation, request: Request): boolean {
  if (!hasBody) return false;
  const types = Object.keys(object.requestBody?.content ?? {});
  const isEmpty = !typeIs.hasBody(request) || request.headers["content-length"] === "0";
  if (isEmpty) return object.requestBody?.required === true && types.some(isJson);
  if (request.headers["content-type"] === JSON_TYPE) return true;
  const type = typeIs(request, types);
  if (type === false) throw BODY_ERRORS.mediaType(request.headers["content-type"]);
  return isJson(type === null ? "" : String(type)) || isJson(request.headers["content-type"] ?? "");
}

/**
 * EOV as one function. The rest of what EOV's `middleware` does is left out: it would look up the operation, which Express has just
 * found, and compile OpenAPI's meta-schema for each app, although the document is already validated when the contract is loaded.
 * Calls back with what is wrong, or with nothing. Values of the request are coerced, and defaults added, in place.
 */
type RequestValidator = (
  operation: Operation,
  request: Request,
  response: Response,
  done: (error?: unknown) => void,
) => void;

/** What EOV reads of a request's operation. */
interface RequestWithOperation extends Request {
  openapi?: { expressRoute: string; pathParams: Request["params"]; schema: unknown };
}

/** The validator of a contract; apps with the same contract share it, since EOV compiles its schemas for a tenth of a second. */
const requestValidatorOf = memoize(function createRequestValidator(contract: Contract): RequestValidator {
  const document = toRequestDocument(contract);
  const validator = new OpenApiValidator({
    apiSpec: document as never,
    validateApiSpec: false,
    validateRequests: { allErrors: true, allowUnknownQueryParameters: true },
    validateResponses: false, // it sees res.json alone; --check-responses sees every response
    validateSecurity: false, // done by `authenticate`, before anything is parsed
    ajvFormats: { mode: "full" }, // "fast" lets 2020-02-31 pass
    fileUploader: false,
  });
  const specification = Promise.resolve({ apiDoc: document as never, basePaths: [], routes: [], serial: 0 });
  const validate = validator.installMiddleware(specification).at(-1) as RequestHandler; // those before it look up the operation
  return ({ path, method }, request: RequestWithOperation, response, done) => {
    const whole = document.paths[path]?.[method];
    const schema = request.headers["content-type"] === undefined ? { ...whole, requestBody: undefined } : whole; // of text, nothing is validated
    request.openapi = { expressRoute: path, pathParams: request.params, schema };
    validate(request, response, done);
  };
});

/**
 * The parts of a document that requests are validated by, as a copy: EOV mutates its input. It would compile the schemas
 * of the responses as well, which takes longer than those of the requests.
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

/** OpenAPI ignores declarations of these headers. Cookies are not read. */
function isValidated({ in: where, name }: ParameterObject): boolean {
  const isIgnored = where === "header" && /^(accept|content-type|authorization)$/i.test(name);
  return !isIgnored && ["path", "query", "header"].includes(where);
}

/** With the defaults of OpenAPI, which EOV does not know. What has a media type cannot declare that reserved characters may stand. */
function withStyle(parameter: ParameterObject): ParameterObject {
  const { schema, ...others } = parameter;
  const { in: where, content, style = where === "query" ? "form" : "simple" } = parameter;
  if (content) return { ...others, allowReserved: true } as ParameterObject; // its schema is in there
  if (!["array", "object"].includes(String(schema.type))) return parameter;
  return { ...parameter, style, explode: parameter.explode ?? style === "form" };
}
