// One case for each named example of the contract: its request must lead to its status and shape.
import type { Contract } from "../../../contract/contract.js";
import { isCurrent } from "../../../contract/examples.js";
import { mapDefined, toList } from "../../../contract/lists.js";
import type { Operation } from "../../../contract/model.js";
import { findResponse, mainMedia } from "../../../contract/operation-responses.js";
import { isOpen } from "../../../core/operations/api-key.js";
import { knownNameOf } from "../../judge/operations.js";
import type { Case } from "../case.js";
import type { Capability } from "../declared-target.js";
import { assume, expectSame, expectStatus } from "../expectation.js";
import { isMocked } from "../session.js";
import { successStatusOf, type TestRequest } from "../test-request.js";

export function createExampleCases({ operations }: Contract): Case[] {
  return operations.flatMap((operation) => {
    const examples = [...requestExamples(operation), ...responseExamples(operation)];
    // A proposal may have added the method that an example of 405 names.
    const siblings = operations.filter((other) => other !== operation && other.path === operation.path);
    const isOwn = ({ request }: Example) => !siblings.some(({ method }) => method === request.method?.toLowerCase());
    return examples.filter(isOwn).map((example) => createCase(operation, example));
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

function requestExamples(operation: Operation): Example[] {
  const status = successStatusOf(operation);
  const bodies = mainMedia(operation.body)?.examples.map(({ name, value }) => ({ name, body: value })) ?? [];
  const isValue = (example: unknown) => Array.isArray(example) || !["undefined", "object"].includes(typeof example);
  const queries = operation.parameters
    .filter(({ in: source, examples: [example] }) => source === "query" && isValue(example))
    .map(({ name, examples: [example] }) => ({ name, query: { [name]: example } }));
  return [...bodies, ...queries].map(({ name, ...request }) => ({ title: `request › ${name}`, request, status }));
}

function responseExamples({ id, responses }: Operation): Example[] {
  return responses.flatMap((response) =>
    mapDefined(mainMedia(response)?.examples ?? [], ({ name, object }) => {
      const { "x-request": request, "x-given": { requests: earlier = [], condition } = {}, value: body } = object;
      // No client can cause what a condition stands for.
      if (!request || (request.operation ?? id) !== id || condition) return undefined;
      return { title: `${response.key} › ${name}`, request, status: response.status, earlier, body };
    }),
  );
}

function createCase(place: Operation, example: Example): Case {
  const { id: operation, method } = place;
  const { title, request, status, earlier = [], body: expected } = example;
  const response = findResponse(place, status);
  const { "x-source": sources = [], "x-decision": decisions = [] } = response?.provenance ?? {};
  return {
    id: `${operation} › example › ${title}`,
    cites: [sources, decisions].flat().filter((cite) => cite !== "D-48"), // it covers every error
    operations: toList(knownNameOf(place) ?? []),
    changes: method !== "get",
    rejects: `The examples of ${status}`,
    async run({ require, can, send, assumeValid }) {
      const isStale = status === 401 && request.headers?.authorization === null && isOpen(place);
      assume(!isStale, "the contract requires no key any more");
      require(...needsOf(request, status), ...(earlier.length > 0 ? (["idempotent"] as const) : []));
      const { path, ...elsewhere } = request; // the path names a subscriber of the demo seed
      const sent = can("demo-seed") || status === 404 ? request : elsewhere;
      const isWhole = request.rawBody === undefined && request.rawQuery === undefined && request.url === undefined;
      if (isWhole && ![401, 405, 415, 422].includes(status)) await assumeValid({ ...sent, operation }, true);
      for (const before of earlier) await send({ ...before, operation });
      const received = await send({ ...sent, operation });
      assume(!isMocked(received), "the target mocks the operation");
      const { body } = expectStatus(received, status);
      // Only the demo seed's data are known, and only their shape, since times are shifted.
      if (expected !== undefined && can("demo-seed") && isCurrent(place, { status, body: expected }))
        expectSame("body", shapeOf(expected), shapeOf(body));
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
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== "object" || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shapeOf(member)]));
}
