// express-openapi-validator (EOV) as one function. The rest of what EOV's `middleware` does is left out: it would look up the
// operation, which Express has just found, and compile OpenAPI's meta-schema for each app, although the document is already
// validated when the contract is loaded.
import type { Request, RequestHandler, Response } from "express";
import { OpenApiValidator } from "express-openapi-validator/dist/openapi.validator.js";
import type { Contract } from "../contract/contract.js";
import { type OpenApiDocument, toPointer, valueAt } from "../contract/openapi-document.js";
import type { Operation } from "../contract/operations.js";

/** Calls back with what is wrong, or with nothing. Values of the request are coerced, and defaults added, in place. */
export type RequestValidator = (
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
export function requestValidatorOf(contract: Contract): RequestValidator {
  const validator = validators.get(contract) ?? createRequestValidator(contract);
  validators.set(contract, validator);
  return validator;
}

const validators = new WeakMap<Contract, RequestValidator>();

function createRequestValidator(contract: Contract): RequestValidator {
  const document = toRequestDocument(contract.document);
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
    const schema = document.paths[path]?.[method];
    request.openapi = { expressRoute: path, pathParams: request.params, schema };
    validate(request, response, done);
  };
}

/**
 * The parts of a document that requests are validated by, as a copy: EOV mutates its input. It would compile the schemas
 * of the responses as well, which takes longer than those of the requests.
 */
function toRequestDocument({ openapi, info, paths, components }: OpenApiDocument): Pick<OpenApiDocument, "paths"> {
  const requestPaths = mapValues(paths, (methods) =>
    mapValues(methods, ({ operationId, parameters, requestBody }) => ({
      operationId,
      ...(parameters && { parameters }),
      ...(requestBody && { requestBody }),
      responses: {},
    })),
  );
  const references = [...findReferences(requestPaths, { paths, components })];
  const isNeeded = (section: string, name: string) =>
    references.some((reference) => `${reference}/`.startsWith(`#/components/${section}/${name}/`));
  const neededComponents = mapValues(components as Record<string, Record<string, unknown>>, (section, sectionName) =>
    Object.fromEntries(Object.entries(section).filter(([name]) => isNeeded(sectionName, name))),
  );
  return structuredClone({ openapi, info, paths: requestPaths, components: neededComponents });
}

/** All references in a value, and in what they lead to. */
function findReferences(value: unknown, document: object, references = new Set<string>()): Set<string> {
  if (typeof value !== "object" || value === null) return references;
  for (const [key, member] of Object.entries(value)) {
    if (key !== "$ref" || typeof member !== "string") findReferences(member, document, references);
    else if (!references.has(member))
      findReferences(valueAt(document, toPointer(member)), document, references.add(member));
  }
  return references;
}

function mapValues<T, Result>(record: Record<string, T>, map: (value: T, name: string) => Result) {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value, name)]));
}
