// Requests that an operation accepts: the starting points of a search for a witness.
import { namedExamples } from "../../contract/examples.js";
import { type ExampleRequest, type ResponseObject, resolve } from "../../contract/openapi-document.js";
import { checkRequest } from "./check-request.js";
import { type OperationVersion, parametersOf } from "./operation-version.js";
import { sampleValue } from "./sample-value.js";
import { viewOf } from "./schema-view.js";

/** The smallest request, the requests behind the examples of success, and the smallest with each example of a body. */
export function baseRequests(version: OperationVersion): ExampleRequest[] {
  const { contract, operation } = version;
  const examples = Object.entries(operation.object.responses)
    .filter(([status]) => status.startsWith("2"))
    .flatMap(([, place]) => {
      const response = resolve<ResponseObject>(contract.document, place);
      return namedExamples(contract.document, response).flatMap(([, example]) => example["x-request"] ?? []);
    });
  const smallest = smallestRequest(version, examples[0]);
  const bodies = namedExamples(contract.document, operation.object.requestBody);
  const all = [smallest, ...examples, ...bodies.map(([, { value }]) => ({ ...smallest, body: value }))];
  return all.filter((request) => checkRequest(contract, version, request).length === 0);
}

function smallestRequest(version: OperationVersion, example: ExampleRequest | undefined): ExampleRequest {
  const { path, body } = example ?? {};
  const start: ExampleRequest = { ...(path ? { path } : {}), ...(body === undefined ? {} : { body }) };
  return [...parametersOf(version).values()]
    .filter(({ value: { required, name } }) => required && path?.[name] === undefined)
    .reduce((request, { value: parameter, pointer }) => {
      const value = parameter.example ?? sampleValue(viewOf(version.contract, [...pointer, "schema"]));
      return withParameter(request, parameter, value);
    }, start);
}

/** The request with another value of a parameter; `undefined` omits it. */
export function withParameter(
  request: ExampleRequest,
  parameter: { in: "path" | "query" | "header"; name: string },
  value: unknown,
): ExampleRequest {
  const part = ({ path: "path", query: "query", header: "headers" } as const)[parameter.in];
  const { [parameter.name]: _before, ...others } = (request[part] ?? {}) as Record<string, unknown>;
  return { ...request, [part]: value === undefined ? others : { ...others, [parameter.name]: value } };
}
