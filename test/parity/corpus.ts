// The requests that mock and reference are compared by, made from the contract: a change to it changes them.
import type { Contract } from "../../src/contract/contract.js";
import { bodyRequests } from "./body-requests.js";
import { behindResponses, requestBodies } from "./example-requests.js";
import { parameterRequests } from "./parameter-requests.js";
import { API_KEY, type ParityRequest, toBase } from "./parity-request.js";
import { preferRequests } from "./prefer-requests.js";
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
