// Responses as they are received, made from what a contract declares.
import { examplesOf } from "../../contract/examples.js";
import type { WireResponse } from "../../contract/response-check.js";
import { type ResponseMessage, toMessageSchema } from "./message-schema.js";
import type { OperationVersion } from "./operation-version.js";
import { memberOf } from "./resolved-schema.js";
import { sampleValue } from "./sample-values.js";

export function toWireResponse(message: ResponseMessage): WireResponse {
  const [[status = "", { header = {}, body = {} }] = ["", {}]] = Object.entries(message);
  const [[type, content] = []] = Object.entries(body).slice(-1);
  const headers = Object.entries(header).map(([name, value]) => [name, String(value)]);
  return {
    status: Number(status),
    headers: { ...(type === undefined ? {} : { "content-type": type }), ...Object.fromEntries(headers) },
    body: content,
  };
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
