// The contract's own examples: the requests behind its responses, and its request bodies.

import { toRequestSpec } from "../../src/client/request-spec.js";
import type { Contract } from "../../src/contract/contract.js";
import { namedExamples } from "../../src/contract/examples.js";
import { type ResponseObject, resolve } from "../../src/contract/openapi-document.js";
import { API_KEY, type Base, type ParityRequest, vary } from "./parity-request.js";

/** Responses that operations share are there once. */
export function behindResponses({ document, operations }: Contract): ParityRequest[] {
  const requests = operations.flatMap((operation) =>
    Object.values(operation.object.responses).flatMap((place) => {
      return namedExamples(document, resolve<ResponseObject>(document, place)).flatMap(([name, example]) => {
        const request = example["x-request"];
        if (!request || example["x-given"]) return []; // what needs a state of the server is the reference's alone
        const target = operations.find(({ id }) => id === request.operation) ?? operation;
        return [{ title: `${target.id} › example ${name}`, ...toRequestSpec(target, request, API_KEY) }];
      });
    }),
  );
  return [...new Map(requests.map((request) => [request.title, request])).values()];
}

export function requestBodies(base: Base): ParityRequest[] {
  return namedExamples(base.contract.document, base.operation.object.requestBody).map(([name, { value }]) =>
    vary(base, `request example ${name}`, { body: JSON.stringify(value) }),
  );
}
