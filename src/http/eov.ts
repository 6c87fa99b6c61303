// express-openapi-validator (EOV) as one function. Its verdict is its own; what leads to it is done once where that is
// enough: EOV would look up the operation anew for each request, and Express has just found it.
import type { Request, RequestHandler, Response } from "express";
import * as OpenApiValidator from "express-openapi-validator";
import type { Contract } from "../contract/contract.js";
import { type OpenApiDocument, toPointer, valueAt } from "../contract/openapi-document.js";
import type { Operation } from "../contract/operations.js";

/** Calls back with what is wrong, or with nothing. Values of the request are coerced, and defaults added, in place. */
export type AskEov = (
  operation: Operation,
  request: Request,
  response: Response,
  answer: (error?: unknown) => void,
) => void;

/** What EOV finds out about the operation of a request. */
interface Found extends Request {
  openapi?: { pathParams: Request["params"] };
}

export function createEov(contract: Contract): AskEov {
  const steps = OpenApiValidator.middleware({
    apiSpec: toRequestDocument(contract.document) as never,
    validateApiSpec: false, // loading the contract has checked it already
    validateRequests: { allErrors: true, allowUnknownQueryParameters: true },
    validateResponses: false, // it sees res.json alone; --check-responses sees every answer
    validateSecurity: false, // done by `authenticate`, before anything is parsed
    ajvFormats: { mode: "full" }, // "fast" lets 2020-02-31 pass
    fileUploader: false,
  }) as RequestHandler[];
  const validate = steps.slice(-1); // those before it find the operation
  const found = new Map<Operation, Found["openapi"]>();
  return (operation, request: Found, response, answer) => {
    const known = found.get(operation);
    if (known) {
      request.openapi = { ...known, pathParams: request.params };
      return takeSteps(validate, request, response, answer);
    }
    takeSteps(steps, request, response, (error) => {
      if (request.openapi) found.set(operation, request.openapi);
      answer(error);
    });
  };
}

function takeSteps(
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
    else takeSteps(rest, request, response, done);
  });
}

/**
 * What of a document judges requests, as a copy: EOV changes what it is given. It would compile the schemas of the answers
 * as well, which takes longer than those of the requests.
 */
function toRequestDocument({ openapi, info, servers, paths, components }: OpenApiDocument): object {
  const judging = mapValues(paths, (methods) =>
    mapValues(methods, ({ operationId, parameters, requestBody }) => ({
      operationId,
      ...(parameters && { parameters }),
      ...(requestBody && { requestBody }),
      responses: {},
    })),
  );
  const references = [...findReferences(judging, { paths, components })];
  const isNeeded = (section: string, name: string) =>
    references.some((reference) => `${reference}/`.startsWith(`#/components/${section}/${name}/`));
  const needed = mapValues(components as Record<string, Record<string, unknown>>, (section, sectionName) =>
    Object.fromEntries(Object.entries(section).filter(([name]) => isNeeded(sectionName, name))),
  );
  return structuredClone({ openapi, info, ...(servers && { servers }), paths: judging, components: needed });
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
