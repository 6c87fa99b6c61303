// express-openapi-validator (EOV) as one function. Its verdict is its own. What its `middleware` does before is left out: it
// would look up the operation anew for each request, which Express has just found, and compile OpenAPI's meta-schema for each
// app, although loading the contract has checked the document.
import type { Request, RequestHandler, Response } from "express";
import { OpenApiValidator } from "express-openapi-validator/dist/openapi.validator.js";
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

/** What EOV reads of the operation of a request. */
interface RequestOfOperation extends Request {
  openapi?: { expressRoute: string; pathParams: Request["params"]; schema: unknown };
}

export function createEov(contract: Contract): AskEov {
  const document = toRequestDocument(contract.document);
  const validator = new OpenApiValidator({
    apiSpec: document as never,
    validateApiSpec: false,
    validateRequests: { allErrors: true, allowUnknownQueryParameters: true },
    validateResponses: false, // it sees res.json alone; --check-responses sees every answer
    validateSecurity: false, // done by `authenticate`, before anything is parsed
    ajvFormats: { mode: "full" }, // "fast" lets 2020-02-31 pass
    fileUploader: false,
  });
  const loaded = Promise.resolve({ apiDoc: document as never, basePaths: [], routes: [], serial: 0 });
  const validate = validator.installMiddleware(loaded).at(-1) as RequestHandler; // those before it find the operation
  return ({ path, method }, request: RequestOfOperation, response, answer) => {
    const schema = document.paths[path]?.[method];
    request.openapi = { expressRoute: path, pathParams: request.params, schema };
    validate(request, response, answer);
  };
}

/**
 * What of a document judges requests, as a copy: EOV changes what it is given. It would compile the schemas of the answers
 * as well, which takes longer than those of the requests.
 */
function toRequestDocument({ openapi, info, paths, components }: OpenApiDocument): Pick<OpenApiDocument, "paths"> {
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
  return structuredClone({ openapi, info, paths: judging, components: needed });
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
