// Valid requests and responses of an operation, to be varied: the smallest ones, and the examples of the contract.
import { type RequestTemplate, toRequestSpec } from "../../client/request-spec.js";
import { examplesOf, namedExamples } from "../../contract/examples.js";
import { type ResponseObject, resolve } from "../../contract/openapi-document.js";
import { NO_KEY } from "./credentials.js";
import { type RequestMessage, type ResponseMessage, toMessageSchema } from "./message-schema.js";
import type { OperationVersion } from "./operation-version.js";
import { memberOf } from "./resolved-schema.js";
import { sampleValue, sampleValues } from "./sample-values.js";
import { JSON_TYPE, readRequest, writeRequest } from "./wire-request.js";

const samples = new WeakMap<object, RequestMessage[]>();

/** Requests that an operation accepts: the smallest, those behind the examples of success, and the examples of bodies. */
export function sampleRequests(version: OperationVersion): RequestMessage[] {
  const requests = samples.get(version.operation) ?? createSampleRequests(version);
  samples.set(version.operation, requests);
  return requests;
}

function createSampleRequests(version: OperationVersion): RequestMessage[] {
  const { contract, operation } = version;
  const schema = toMessageSchema(version, "request");
  const smallest = sampleValue(schema) as RequestMessage;
  const { security = NO_KEY } = smallest; // examples are sent with the key of the contract that they were written for
  const readTemplate = (template: RequestTemplate) => readRequest(version, toRequestSpec(operation, template, "key"));
  const fromExamples = Object.entries(operation.object.responses)
    .filter(([status]) => status.startsWith("2"))
    .flatMap(([, place]) => namedExamples(contract.document, resolve<ResponseObject>(contract.document, place)))
    .flatMap(([, { "x-request": request }]) => (request ? [{ ...readTemplate(request).message, security }] : []));
  const { requestBody } = operation.object;
  const bodies = requestBody ? namedExamples(contract.document, resolve(contract.document, requestBody)) : [];
  const withBody = (body: unknown) => ({ ...smallest, body: { [JSON_TYPE]: body } });
  const isAccepted = (message: RequestMessage) => readTemplate(writeRequest(version, message)).violations.length === 0;
  const candidates = [smallest, ...fromExamples, ...bodies.map(([, { value }]) => withBody(value))].filter(isAccepted);
  if (candidates.length > 0 || !smallest.body) return candidates;
  // The contract's own examples are wrong.
  const [type = JSON_TYPE] = Object.keys(smallest.body);
  const ofBody = memberOf(schema, "body");
  const content = ofBody && memberOf(ofBody, type);
  return (content ? sampleValues([content]) : [])
    .map((value) => ({ ...smallest, body: { [type]: value } }))
    .filter(isAccepted)
    .slice(0, 1);
}

/** Responses of a status that should be valid: the smallest, which is the easiest to read, and the examples. */
export function sampleResponses(version: OperationVersion, status: string): ResponseMessage[] {
  const { contract, operation } = version;
  const schema = memberOf(toMessageSchema(version, "response"), status);
  if (!schema) return [];
  const smallest = sampleValue(schema) as ResponseMessage[string];
  const [type = ""] = Object.keys(smallest.body ?? {});
  const examples = examplesOf(contract.document, operation).filter((example) => String(example.status) === status);
  const bodies = examples.map(({ body }) => ({ ...smallest, body: { [type]: body } }));
  return [smallest, ...bodies].map((response) => ({ [status]: response }));
}
