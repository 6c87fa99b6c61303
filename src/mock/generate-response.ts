// The last step of an operation on the mock: a response that Prism makes of the contract.
import type { Request, RequestHandler, Response } from "express";
import { toSampleResponse } from "../adapt/mock-response.js";
import { implementationOf } from "../api/call-operation.js";
import type { HttpResponse } from "../api/errors.js";
import type { Contract } from "../contract/contract.js";
import { requiredHeaders } from "../contract/examples.js";
import { findResponse, mainContent, type Operation, successStatusOf } from "../contract/operations.js";
import { assertInContract, sendResponse } from "../http/response.js";
import { listWithoutState, type Page, type PageQuery } from "./list-without-state.js";
import type { Prism } from "./prism.js";

const LIST = implementationOf({ method: "get", path: "/v1/notifications" });

export function createGenerateResponse(contract: Contract, prism: Prism): (operation: Operation) => RequestHandler {
  return (operation) => {
    let made: Promise<HttpResponse | undefined> | undefined; // asking Prism takes longer than all other steps together
    return async function generateResponse(request, response) {
      if (!made || (prism.isDynamic && !isDrawnAhead(operation))) made = generate(operation);
      const generated = (await made) ?? toSample(operation, request, response);
      const key = operation.method === "get" ? undefined : request.get("idempotency-key");
      const headers = key ? { ...generated.headers, "Idempotency-Key": key } : generated.headers; // D-61
      const body = isList(operation) && isPage(generated.body) ? toPage(request, generated.body) : generated.body;
      sendResponse(response, { ...generated, headers, body });
    };
  };

  /** The records of the list are the same for as long as the mock serves this contract: they are cut into pages. */
  function isDrawnAhead(operation: Operation): boolean {
    return prism.isDynamic && isList(operation);
  }

  /** Undefined where Prism makes nothing that is inside the contract: of other media, for instance, or of an invalid example. */
  async function generate(operation: Operation): Promise<HttpResponse | undefined> {
    const declared = findResponse(contract.document, operation, successStatusOf(operation));
    const [mediaType] = mainContent(declared?.object.content) ?? [];
    const made = mediaType === "application/json" ? await prism.generate(operation) : undefined;
    if (!made || !declared) return undefined;
    const result = { ...made, headers: requiredHeaders(contract.document, declared.object) };
    const checked = { ...result, headers: { ...result.headers, "content-type": mediaType } };
    const isValid = (body: unknown) => contract.checkResponse(operation, { ...checked, body }).length === 0;
    const { body } = made;
    if (!isDrawnAhead(operation) || !isPage(body)) return isValid(body) ? result : undefined;
    // There are more records than a page may have: each is checked as a page of its own.
    const records = body.data.filter((record) => isValid({ ...body, data: [record] }));
    return records.length > 0 ? { ...result, body: { ...body, data: records.toSorted(byNewest) } } : undefined;
  }

  function toSample(operation: Operation, request: Request, response: Response): HttpResponse {
    const { method, originalUrl: target, body } = request;
    const accepts = (mediaTypes: string[]) => request.accepts(mediaTypes);
    const result = toSampleResponse(contract, operation, { method, target, body, accepts });
    assertInContract(contract, operation, response, result);
    return result;
  }
}

function isList(operation: Operation): boolean {
  return implementationOf(operation) === LIST;
}

function byNewest(one: { createdAt?: string }, other: { createdAt?: string }): number {
  return Date.parse(other.createdAt ?? "") - Date.parse(one.createdAt ?? "");
}

function isPage(body: unknown): body is Page {
  return Array.isArray((body as Page | undefined)?.data);
}

/** The contract has just proven the query to be valid; the compiler cannot see that proof. */
function toPage({ query }: Request, page: Page) {
  return listWithoutState(query as unknown as PageQuery, page);
}
