// The request of an example (its `x-request`), for the reference client.

import type { Operation } from "../../src/contract/model.js";
import type { ExampleRequest } from "../../src/contract/openapi-document.js";
import { buildRequestSpec } from "../../src/contract/request.js";
import { API_KEY, type TestRequest } from "./reference.js";

export function toTestRequest(operation: Pick<Operation, "method" | "path">, example: ExampleRequest): TestRequest {
  const { method, target, headers, body } = buildRequestSpec(operation, example, API_KEY);
  const all = { ...headers, authorization: headers.authorization ?? null }; // else the client adds its own
  return { method, url: target, headers: all, ...(body === undefined ? {} : { rawBody: body }) };
}
