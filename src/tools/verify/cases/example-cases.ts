// One case for each named example of the contract: its request must lead to its status and shape.
import type { Contract } from "../../../contract/contract.js";
import { isCurrent, namedExamples } from "../../../contract/examples.js";
import { type OpenApiDocument, type ResponseObject, resolve } from "../../../contract/openapi-document.js";
import { findResponse, isOpen, type Operation, successStatusOf } from "../../../contract/operations.js";
import { knownNameOf } from "../../judge/operations.js";
import type { Case } from "../case.js";
import type { TestRequest } from "../exchange.js";
import { assume, expectSame, expectStatus } from "../expectation.js";
import type { Capability } from "../target.js";

export function createExampleCases(contract: Contract): Case[] {
  const { document, operations } = contract;
  return operations.flatMap((operation) => {
    const examples = [...requestExamples(document, operation), ...responseExamples(document, operation)];
    // A proposal may have added the method that an example of 405 names.
    const siblings = operations.filter((other) => other !== operation && other.path === operation.path);
    const isOwn = ({ request }: Example) => !siblings.some(({ method }) => method === request.method?.toLowerCase());
    return examples.filter(isOwn).map((example) => toCase(contract, operation, example));
  });
}

interface Example {
  title: string;
  request: TestRequest;
  status: number;
  /** Sent first. */
  earlier?: TestRequest[];
  /** The example response; examples of requests have none. */
  body?: unknown;
}

function requestExamples(document: OpenApiDocument, operation: Operation): Example[] {
  const { object, parameters } = operation;
  const status = successStatusOf(operation);
  const bodies = namedExamples(document, object.requestBody).map(([name, { value }]) => ({ name, body: value }));
  const isValue = (example: unknown) => Array.isArray(example) || !["undefined", "object"].includes(typeof example);
  const queries = parameters
    .filter(({ in: source, example }) => source === "query" && isValue(example))
    .map(({ name, example }) => ({ name, query: { [name]: example } }));
  return [...bodies, ...queries].map(({ name, ...request }) => ({ title: `request › ${name}`, request, status }));
}

function responseExamples(document: OpenApiDocument, { id, object }: Operation): Example[] {
  return Object.entries(object.responses).flatMap(([status, place]) =>
    namedExamples(document, resolve<ResponseObject>(document, place)).flatMap(([name, example]) => {
      const { "x-request": request, "x-given": { requests: earlier = [], condition } = {}, value: body } = example;
      if (!request || (request.operation ?? id) !== id || condition) return []; // no client can cause a condition
      return [{ title: `${status} › ${name}`, request, status: Number(status), earlier, body }];
    }),
  );
}

function toCase(contract: Contract, place: Operation, example: Example): Case {
  const { id: operation, method } = place;
  const { title, request, status, earlier = [], body: expected } = example;
  const response: Partial<ResponseObject> = findResponse(contract.document, place, status)?.object ?? {};
  const { "x-source": sources = [], "x-decision": decisions = [] } = response;
  return {
    id: `${operation} › example › ${title}`,
    cites: [sources, decisions].flat().filter((cite) => cite !== "D-48"), // it covers every error
    operations: [knownNameOf(place) ?? []].flat(),
    changes: method !== "get",
    async run({ require, can, send, assumeValid }) {
      const isStale = status === 401 && request.headers?.authorization === null && isOpen(contract.document, place);
      assume(!isStale, "the contract requires no key any more");
      require(...needsOf(request, status), ...(earlier.length > 0 ? (["idempotent"] as const) : []));
      const { path, ...elsewhere } = request; // the path names a subscriber of the demo seed
      const sent = can("demo-seed") || status === 404 ? request : elsewhere;
      const isWhole = request.rawBody === undefined && request.rawQuery === undefined && request.url === undefined;
      if (isWhole && ![401, 405, 415, 422].includes(status)) await assumeValid({ ...sent, operation }, true);
      for (const before of earlier) await send({ ...before, operation });
      const { body } = expectStatus(await send({ ...sent, operation }), status);
      // Only the demo seed's data are known, and only their shape, since times are shifted.
      if (expected !== undefined && can("demo-seed") && isCurrent(contract, place, { status, body: expected }))
        expectSame("body", toShape(expected), toShape(body));
    },
  };
}

/** A request that is rejected before the operation runs needs no capability; all others depend on the data. */
function needsOf({ headers, rawBody }: TestRequest, status: number): Capability[] {
  if (headers?.authorization?.startsWith("ApiKey ")) return ["checks-key"];
  if ([401, 405, 413, 415, 422].includes(status) || rawBody !== undefined) return [];
  return ["demo-seed"];
}

/** Replaces values with the names of their types. */
function toShape(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toShape);
  if (typeof value !== "object" || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, toShape(member)]));
}
