// The request behind an example of the contract (its `x-request`), as the reference client sends it.
import type { ExampleRequest } from "../../src/contract/openapi-document.js";
import type { Operation } from "../../src/contract/operations.js";
import type { TestRequest } from "./reference.js";

export function toTestRequest(operation: Operation, example: ExampleRequest): TestRequest {
  const { method = operation.method.toUpperCase(), path = {}, query = {}, headers, body, rawBody } = example;
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((item) => [name, String(item)] as [string, string]),
  );
  const url = operation.path.replaceAll(/{([^}]+)}/g, (_all, name: string) => encodeURIComponent(path[name] ?? ""));
  return {
    method,
    url: pairs.length === 0 ? url : `${url}?${new URLSearchParams(pairs)}`,
    ...(headers ? { headers } : rawBody === undefined ? {} : { headers: { "content-type": "application/json" } }),
    ...(body === undefined ? {} : { body }),
    ...(rawBody === undefined ? {} : { rawBody }),
  };
}
