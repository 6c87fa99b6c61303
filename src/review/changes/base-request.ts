// Requests that an operation accepts, to start from when one is sought that shows a change.
import { namedExamples } from "../../contract/examples.js";
import { type ExampleRequest, type ResponseObject, resolve } from "../../contract/openapi-document.js";
import { parametersOf, type Version } from "./contract-pair.js";
import { checkRequest } from "./request-check.js";
import { sampleOf } from "./sample.js";
import { viewOf } from "./schema-view.js";

/** The requests behind the examples of success, those that the contract shows, and the smallest one. */
export function baseRequests(version: Version): ExampleRequest[] {
  const { contract, operation } = version;
  const shown = Object.entries(operation.object.responses)
    .filter(([status]) => status.startsWith("2"))
    .flatMap(([, place]) => {
      const response = resolve<ResponseObject>(contract.document, place);
      return namedExamples(contract.document, response).flatMap(([, example]) => example["x-request"] ?? []);
    });
  const smallest = smallestRequest(version, shown[0]);
  const bodies = namedExamples(contract.document, operation.object.requestBody);
  const all = [smallest, ...shown, ...bodies.map(([, { value }]) => ({ ...smallest, body: value }))];
  return all.filter((request) => checkRequest(contract, version, request).length === 0);
}

function smallestRequest(version: Version, shown: ExampleRequest | undefined): ExampleRequest {
  const { path, body } = shown ?? {};
  const start: ExampleRequest = { ...(path ? { path } : {}), ...(body === undefined ? {} : { body }) };
  return [...parametersOf(version).values()]
    .filter(({ parameter }) => parameter.required && path?.[parameter.name] === undefined)
    .reduce((request, { parameter, pointer }) => {
      const value = parameter.example ?? sampleOf(viewOf(version.contract, [...pointer, "schema"]));
      return withParameter(request, parameter, value);
    }, start);
}

/** The request with another value at a parameter; `undefined` leaves it out. */
export function withParameter(
  request: ExampleRequest,
  parameter: { in: "path" | "query" | "header"; name: string },
  value: unknown,
): ExampleRequest {
  const part = ({ path: "path", query: "query", header: "headers" } as const)[parameter.in];
  const { [parameter.name]: _before, ...others } = (request[part] ?? {}) as Record<string, unknown>;
  return { ...request, [part]: value === undefined ? others : { ...others, [parameter.name]: value } };
}
