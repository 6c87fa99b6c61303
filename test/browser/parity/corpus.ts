// The requests that the two shells are compared by, made from the contract: a change to it changes them. What the steps behind
// validation do is not varied: both shells run the same ones.

import type { Contract } from "../../../src/contract/contract.js";
import { examplesOf, namedExamples } from "../../../src/contract/examples.js";
import { type ResponseObject, resolve } from "../../../src/contract/openapi-document.js";
import { toRequestSpec } from "../../../src/contract/request-spec.js";
import { bodyRequests } from "./body-requests.js";
import { parameterRequests } from "./parameter-requests.js";
import { API_KEY, type Base, type ParityRequest, toBase, vary } from "./parity-request.js";
import { protocolRequests, strayRequests } from "./protocol-requests.js";
import { unicodeRequests } from "./unicode-requests.js";

export function createCorpus(contract: Contract): ParityRequest[] {
  const bases = contract.operations.map((operation) => toBase(contract, operation));
  const corpus = [
    ...behindResponses(contract),
    ...bases.flatMap((base) => [
      ...requestBodies(base),
      ...parameterRequests(base),
      ...bodyRequests(base),
      ...protocolRequests(base),
      ...preferRequests(base),
      ...unicodeRequests(base),
    ]),
    ...strayRequests({ authorization: `ApiKey ${API_KEY}` }),
  ];
  const titles = corpus.map(({ title }) => title);
  const twice = titles.find((title, index) => titles.indexOf(title) !== index);
  if (twice !== undefined) throw new Error(`two requests of the corpus are called "${twice}"`);
  return corpus;
}

/** The requests behind the examples of responses; those that operations share are there once. */
function behindResponses({ document, operations }: Contract): ParityRequest[] {
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

function requestBodies(base: Base): ParityRequest[] {
  return namedExamples(base.contract.document, base.operation.object.requestBody).map(([name, { value }]) =>
    vary(base, `request example ${name}`, { body: JSON.stringify(value) }),
  );
}

function preferRequests(base: Base): ParityRequest[] {
  const { contract, operation, headers } = base;
  const codes = new Set(examplesOf(contract.document, operation).map(({ status }) => status));
  return [...codes, 999].map((code) =>
    vary(base, `prefer code=${code}`, { headers: { ...headers, prefer: `code=${code}` } }),
  );
}
