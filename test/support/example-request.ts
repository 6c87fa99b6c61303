// The request behind an example of the contract (its `x-request`), as the reference client sends it.

import type { ExampleRequest } from "../../src/contract/openapi-document.js";
import type { Operation } from "../../src/contract/operations.js";
import { toRequestSpec } from "../../src/contract/request-spec.js";
import { API_KEY, type TestRequest } from "./reference.js";

export function toTestRequest(operation: Operation, example: ExampleRequest): TestRequest {
  const { method, target, headers, body } = toRequestSpec(operation, example, API_KEY);
  const all = { ...headers, authorization: headers.authorization ?? null }; // the client would add its own
  return { method, url: target, headers: all, ...(body === undefined ? {} : { rawBody: body }) };
}
