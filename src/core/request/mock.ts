// The last step of an operation without a handler: an example of the contract, or a sample.
import type { Operation } from "../../contract/model.js";
import { createMockResponse, type MockedRequest } from "../../contract/sample/message.js";
import type { Exchange, HttpResponse, LastStep } from "./exchange.js";

export function createMockOperation(operation: Operation): LastStep {
  return function mockOperation(exchange): HttpResponse {
    const response = createMockResponse(operation, toMockedRequest(exchange));
    exchange.isMocked = true;
    exchange.assertValid?.(response);
    return response;
  };
}

export function toMockedRequest({ method, target, headers, input }: Exchange): MockedRequest {
  return { method, target, body: input.body, accept: headers.accept?.toString() };
}
