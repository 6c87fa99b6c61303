// express-openapi-validator (EOV) as one function. EOV would look up the operation for each request; Express has just
// found it, so EOV's result is kept for each operation.
import type { Request, RequestHandler, Response } from "express";
import * as OpenApiValidator from "express-openapi-validator";
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

/** What EOV adds to a request: its operation. */
interface RequestWithOperation extends Request {
  openapi?: { pathParams: Request["params"] };
}

export function createRequestValidator(contract: Contract): RequestValidator {
  const steps = OpenApiValidator.middleware({
    apiSpec: toRequestDocument(contract.document) as never,
    validateApiSpec: false, // loading the contract has checked it already
    validateRequests: { allErrors: true, allowUnknownQueryParameters: true },
    validateResponses: false, // it sees res.json alone; --check-responses sees every response
    validateSecurity: false, // done by `authenticate`, before anything is parsed
    ajvFormats: { mode: "full" }, // "fast" lets 2020-02-31 pass
    fileUploader: false,
  }) as RequestHandler[];
  const validate = steps.slice(-1); // those before it find the operation
  const lookups = new Map<Operation, RequestWithOperation["openapi"]>();
  return (operation, request: RequestWithOperation, response, done) => {
    const known = lookups.get(operation);
    if (known) {
      request.openapi = { ...known, pathParams: request.params };
      return runSteps(validate, request, response, done);
    }
    runSteps(steps, request, response, (error) => {
      if (request.openapi) lookups.set(operation, request.openapi);
      done(error);
    });
  };
}

function runSteps(
  [step, ...rest]: readonly RequestHandler[],
  request: Request,
  response: Response,
  done: (error?: unknown) => void,
): void {
  if (!step) {
    done();
    return;
  }
  step(request, response, (error?: unknown) => {
    if (error) done(error);
    else runSteps(rest, request, response, done);
  });
}

/**
 * The parts of a document that requests are validated by, as a copy: EOV mutates its input. It would compile the schemas
 * of the responses as well, which takes longer than those of the requests.
 */
function toRequestDocument({ openapi, info, servers, paths, components }: OpenApiDocument): object {
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
  const needed = mapValues(components as Record<string, Record<string, unknown>>, (section, sectionName) =>
    Object.fromEntries(Object.entries(section).filter(([name]) => isNeeded(sectionName, name))),
  );
  return structuredClone({ openapi, info, ...(servers && { servers }), paths: requestPaths, components: needed });
}

/** All references in a value, and in what they lead to. */
function findReferences(value: unknown, document: object, found = new Set<string>()): Set<string> {
  if (typeof value !== "object" || value === null) return found;
  for (const [key, member] of Object.entries(value)) {
    if (key !== "$ref" || typeof member !== "string") findReferences(member, document, found);
    else if (!found.has(member)) findReferences(valueAt(document, toPointer(member)), document, found.add(member));
  }
  return found;
}

function mapValues<T, Result>(record: Record<string, T>, map: (value: T, name: string) => Result) {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value, name)]));
}
