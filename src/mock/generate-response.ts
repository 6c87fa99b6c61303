// The last step of an operation on the mock: a response that Prism makes from the contract, checked against it.
import type { RequestHandler } from "express";
import type { Contract } from "../contract/contract.js";
import { requiredHeaders } from "../contract/examples.js";
import { type ResponseObject, resolve } from "../contract/openapi-document.js";
import type { Operation, SuccessBody } from "../contract/operations.js";
import type { NotificationFilter } from "../domain/notifications.js";
import { assertInContract, sendResponse } from "../http/response.js";
import { listWithoutState } from "./list-without-state.js";
import type { Prism } from "./prism.js";

export function createGenerateResponse(contract: Contract, prism: Prism): (operation: Operation) => RequestHandler {
  const checked = new WeakSet<object>(); // an example is the same object every time
  return (operation) =>
    async function generateResponse(request, response) {
      const { status, body } = await prism.generate(operation);
      const place = operation.object.responses[status] ?? { description: "" };
      const declared = resolve<ResponseObject>(contract.document, place);
      const key = request.get("idempotency-key");
      const echo = key && declared.headers?.["Idempotency-Key"] ? { "Idempotency-Key": key } : {}; // D-61
      const generated = { status, headers: { ...requiredHeaders(contract.document, declared), ...echo }, body };
      if (!checked.has(body as object)) assertInContract(contract, operation, response, generated);
      if (typeof body === "object" && body !== null) checked.add(body);
      if (operation.id !== "listNotifications") return sendResponse(response, generated);
      // The contract has just proven both to be of their types; the compiler cannot see that proof.
      const filter = request.query as unknown as NotificationFilter;
      const page = listWithoutState(filter, body as SuccessBody<"listNotifications">);
      sendResponse(response, { ...generated, body: page });
    };
}
