// The last step of an operation on the mock: a response that Prism makes from the contract, checked against it.
import type { RequestHandler, Response } from "express";
import type { HttpResponse } from "../api/errors.js";
import type { Contract } from "../contract/contract.js";
import { requiredHeaders } from "../contract/examples.js";
import { type ResponseObject, resolve } from "../contract/openapi-document.js";
import type { Operation, SuccessBody } from "../contract/operations.js";
import type { NotificationFilter } from "../domain/notifications.js";
import { assertInContract, sendResponse } from "../http/response.js";
import { listWithoutState } from "./list-without-state.js";
import type { Prism } from "./prism.js";

export function createGenerateResponse(contract: Contract, prism: Prism): (operation: Operation) => RequestHandler {
  const examples = new Map<Operation, HttpResponse>(); // asking Prism takes longer than all other steps together
  return (operation) =>
    async function generateResponse(request, response) {
      const generated = examples.get(operation) ?? (await generate(operation, response));
      if (!prism.isDynamic) examples.set(operation, generated);
      const key = operation.method === "get" ? undefined : request.get("idempotency-key");
      const headers = key ? { ...generated.headers, "Idempotency-Key": key } : generated.headers; // D-61
      if (operation.id !== "listNotifications") return sendResponse(response, { ...generated, headers });
      // The contract has just proven both to be of their types; the compiler cannot see that proof.
      const filter = request.query as unknown as NotificationFilter;
      const body = listWithoutState(filter, generated.body as SuccessBody<"listNotifications">);
      sendResponse(response, { ...generated, headers, body });
    };

  async function generate(operation: Operation, response: Response): Promise<HttpResponse> {
    const { status, body } = await prism.generate(operation);
    const place = operation.object.responses[status] ?? { description: "" };
    const headers = requiredHeaders(contract.document, resolve<ResponseObject>(contract.document, place));
    assertInContract(contract, operation, response, { status, headers, body });
    return { status, headers, body };
  }
}
