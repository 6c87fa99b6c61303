// The contract's named examples: each example's request is sent, and the response has its status and shape.
import type { Contract } from "../../contract/contract.js";
import { namedExamples } from "../../contract/examples.js";
import {
  type ExampleObject,
  type OpenApiDocument,
  type ResponseObject,
  resolve,
} from "../../contract/openapi-document.js";
import type { Operation } from "../../contract/operations.js";
import type { Case } from "../case.js";
import type { TestRequest } from "../exchange.js";
import { expectSame, expectStatus } from "../expectation.js";
import type { Capability } from "../target.js";

export function createExampleCases({ document, operations }: Contract): Case[] {
  return operations.flatMap((operation) => [
    ...requestExamples(document, operation),
    ...Object.entries(operation.object.responses).flatMap(([status, place]) => {
      const response = resolve<ResponseObject>(document, place);
      return namedExamples(document, response).flatMap(([name, example]) => {
        const request = example["x-request"];
        if (!request || (request.operation ?? operation.id) !== operation.id) return [];
        if (example["x-given"]?.condition) return []; // no client can cause it
        return [toCase(document, operation, `${status} › ${name}`, request, Number(status), example)];
      });
    }),
  ]);
}

/** Examples of requests have no example response; they have to be accepted. */
function requestExamples(document: OpenApiDocument, operation: Operation): Case[] {
  const accepted = (name: string, request: TestRequest) =>
    toCase(document, operation, `request › ${name}`, request, 200);
  const queries = operation.parameters.filter(({ in: source }) => source === "query");
  return [
    ...namedExamples(document, operation.object.requestBody).map(([name, { value }]) =>
      accepted(name, { body: value }),
    ),
    ...queries.map(({ name, example }) => accepted(name, { query: { [name]: example } })),
  ];
}

function toCase(
  document: OpenApiDocument,
  { id: operation, method, object }: Operation,
  title: string,
  request: TestRequest,
  status: number,
  example?: ExampleObject,
): Case {
  const place = object.responses[status];
  const response: Partial<ResponseObject> = place ? resolve<ResponseObject>(document, place) : {};
  const { "x-source": sources = [], "x-decision": decisions = [] } = response;
  const before = example?.["x-given"]?.requests ?? [];
  return {
    id: `${operation} › example › ${title}`,
    cites: [sources, decisions].flat().filter((cite) => cite !== "D-48"), // the shape of every error
    changes: method !== "get",
    covers: { operation, place: "request", keyword: "example", status },
    async run({ require, can, send }) {
      require(...needsOf(request, status), ...(before.length > 0 ? (["idempotent"] as const) : []));
      for (const earlier of before) await send({ ...earlier, operation });
      const { body } = expectStatus(await send({ ...request, operation }), status);
      // Only of the demo seed the data are known, and of them only the shape, as times are shifted.
      if (example && can("demo-seed")) expectSame("body", toShape(example.value), toShape(body));
    },
  };
}

/** What is rejected before the operation runs needs no capability; everything else depends on the data. */
function needsOf({ headers, rawBody }: TestRequest, status: number): Capability[] {
  if (headers?.authorization?.startsWith("ApiKey ")) return ["checks-key"];
  if ([401, 405, 413, 415, 422].includes(status) || rawBody !== undefined) return [];
  return ["demo-seed"];
}

/** The members and the types of their values. */
function toShape(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toShape);
  if (typeof value !== "object" || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, toShape(member)]));
}
