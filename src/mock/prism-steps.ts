// The two steps of a request that Prism does: the contract's verdict on it, and the answer to it.
import type { Request, RequestHandler, Response } from "express";
import type { Contract } from "../contract/contract.js";
import { type HeaderObject, type ResponseObject, resolve } from "../contract/openapi-document.js";
import type { Operation, SuccessBody } from "../contract/operations.js";
import { assertBodyDepth } from "../http/body-depth.js";
import { createFindCoercions } from "../http/invalid-request.js";
import { assertMediaType } from "../http/media-type.js";
import { createReadQuery, type Query } from "../http/query.js";
import { type HttpResponse, sendResponse } from "../http/response.js";
import { createValidateRequest } from "../http/validate-request.js";
import { engineEnded } from "./engine-ended.js";
import { type Prism, PrismGoneError } from "./prism.js";
import type { PrismAnswer } from "./prism-process.js";
import { toPrismRequest } from "./prism-request.js";
import { listWithoutState } from "./stateless-list.js";

const ONE_DECIMAL = /(T\d\d:\d\d:\d\d\.\d)Z"/g; // json-schema-faker 0.5.8 cuts the zeros off a made-up timestamp (D-05)

type Step = (operation: Operation) => RequestHandler;

export function createPrismSteps(contract: Contract, prism: Prism): { validate: Step; answer: RequestHandler } {
  const explainRefusal = createValidateRequest(contract);
  const answers = new WeakMap<Response, () => HttpResponse>();
  return {
    /** Prism decides. A refusal is worded by the reference server's own step, as Prism would answer an example. */
    validate(operation) {
      const explain = explainRefusal(operation);
      const readQuery = createReadQuery(operation);
      const findOverlooked = createFindCoercions(operation);
      return async function validateByPrism(request, response, next) {
        assertMediaType(operation, request); // here too: `explain` comes after the query, which may be undecodable (D-47)
        assertBodyDepth(contract, operation, request);
        const query = readQuery(request);
        if (findOverlooked(query).length > 0 || hasEmptyValue(query)) return explain(request, response, next);
        const answer = toAnswer(contract, operation, request, await ask(prism, operation, request, query));
        answers.set(response, () => (operation.id === "listNotifications" ? toPage(operation, query, answer) : answer));
        if (answer.status < 400) return next();
        explain(request, response, (error) => (error ? next(error) : sendResponse(response, answer)));
      };
    },
    answer: function answerByPrism(_request, response) {
      const answer = answers.get(response) as () => HttpResponse; // `validate` has put it there; what it refuses comes after Prefer
      sendResponse(response, answer());
    },
  };
}

function toPage(operation: Operation, query: Query, answer: HttpResponse): HttpResponse {
  return { ...answer, body: listWithoutState(operation, query, answer.body as SuccessBody<"listNotifications">) };
}

/** Prism lets these pass, also where the contract wants a value that is not empty (D-27). */
function hasEmptyValue({ values }: Query): boolean {
  return Object.values(values).includes("");
}

async function ask(prism: Prism, operation: Operation, request: Request, query: Query): Promise<PrismAnswer> {
  try {
    return await prism.ask(toPrismRequest(operation, request, query));
  } catch (error) {
    throw error instanceof PrismGoneError ? engineEnded() : error;
  }
}

/** An answer of Prism's without Prism's own headers: `sl-violations`, and examples of headers that are not required. */
function toAnswer(contract: Contract, operation: Operation, request: Request, prisms: PrismAnswer): HttpResponse {
  const { status, headers, text } = prisms;
  if (!headers["content-type"]?.startsWith("application/json")) throw new Error(`Prism answered ${status}: ${text}`);
  const declared = resolve<ResponseObject>(
    contract.document,
    operation.object.responses[status] ?? { description: "" },
  );
  const kept = Object.entries(declared.headers ?? {}).flatMap(([name, place]) => {
    const value = headers[name.toLowerCase()];
    return resolve<HeaderObject>(contract.document, place).required && value ? [[name, String(value)]] : [];
  });
  const key = request.get("idempotency-key");
  const isKeyAnswered = key && status < 400 && declared.headers?.["Idempotency-Key"]; // D-61
  return {
    status,
    headers: { ...Object.fromEntries(kept), ...(isKeyAnswered ? { "Idempotency-Key": key } : {}) },
    body: JSON.parse(text.replaceAll(ONE_DECIMAL, '$100Z"')),
  };
}
