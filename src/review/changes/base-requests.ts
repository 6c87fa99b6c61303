// Requests that an operation accepts: the starting points of a search for a witness.
import { namedExamples } from "../../contract/examples.js";
import { type ExampleRequest, type ResponseObject, resolve } from "../../contract/openapi-document.js";
import { checkRequest } from "./check-request.js";
import { bodyOf, type OperationVersion, parametersOf } from "./operation-version.js";
import { sampleValue, sampleValues } from "./sample-values.js";
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
  const { content = {} } = bodyOf(version)?.value ?? {};
  const bodies = namedExamples(contract.document, { content });
  const all = [smallest, ...examples, ...bodies.map(([, { value }]) => ({ ...smallest, body: value }))].map((request) =>
    asType(request, Object.keys(content)),
  );
  const isAccepted = (request: ExampleRequest) => checkRequest(contract, version, request).length === 0;
  const accepted = all.filter(isAccepted);
  return accepted.length > 0 ? accepted : withOtherBodies(version, smallest).filter(isAccepted).slice(0, 1);
}

/** For a contract whose own examples are wrong. */
function withOtherBodies(version: OperationVersion, request: ExampleRequest): ExampleRequest[] {
  const body = bodyOf(version);
  if (!body) return [];
  const [type = ""] = Object.keys(body.value.content);
  const view = viewOf(version.contract, [...body.pointer, "content", type, "schema"]);
  return sampleValues(view, view).map((value) => asType({ ...request, body: value }, [type]));
}

/** JSON where the body may be JSON, else of the first type there is. */
function asType(request: ExampleRequest, [type, ...others]: string[]): ExampleRequest {
  if (request.body === undefined || type === undefined || [type, ...others].includes("application/json"))
    return request;
  return { ...request, headers: { ...request.headers, "content-type": type } };
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
