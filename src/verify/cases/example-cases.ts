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
import { expectSame, expectStatus } from "../expectation.js";
import type { Capability } from "../target.js";
import type { TestRequest } from "../test-request.js";

export function createExampleCases({ document, operations }: Contract): Case[] {
  return operations.flatMap((operation) => [
    ...requestExamples(document, operation),
    ...Object.entries(operation.object.responses).flatMap(([status, place]) => {
      const response = resolve<ResponseObject>(document, place);
      return namedExamples(document, response).flatMap(([name, example]) => {
        const request = example["x-request"];
        if (!request || (request.operation ?? operation.id) !== operation.id) return [];
        if (example["x-given"]?.condition) return []; // no client can cause it
        return [toCase(document, operation, `${status} › ${name}`, { ...request, operation }, Number(status), example)];
      });
    }),
  ]);
}

/** Examples of requests have no example response; they have to be accepted. */
function requestExamples(document: OpenApiDocument, operation: Operation): Case[] {
  const queries = operation.parameters.filter(({ in: source }) => source === "query") as {
    name: string;
    example?: unknown;
  }[];
  return [
    ...namedExamples(document, operation.object.requestBody).map(([name, { value }]) =>
      toCase(document, operation, `request › ${name}`, { operation, body: value }, 200),
    ),
    ...queries.map(({ name, example }) =>
      toCase(document, operation, `request › ${name}`, { operation, query: { [name]: example } }, 200),
    ),
  ];
}

function toCase(
  document: OpenApiDocument,
  operation: Operation,
  title: string,
  request: TestRequest,
  status: number,
  example?: ExampleObject,
): Case {
  const place = operation.object.responses[status];
  const response: Partial<ResponseObject> = place ? resolve<ResponseObject>(document, place) : {};
  const { "x-source": sources = [], "x-decision": decisions = [] } = response;
  const cites = [sources, decisions].flat().filter((cite) => cite !== "D-48"); // the shape of every error
  const before = example?.["x-given"]?.requests ?? [];
  return {
    id: `${operation.id} › example › ${title}`,
    cites,
    needs: [...needsOf(request, status), ...(before.length > 0 ? (["idempotent"] as const) : [])],
    changes: operation.method !== "get",
    covers: { operation: operation.id, place: "request", keyword: "example", status },
    async run(context) {
      for (const { operation: _same, ...request } of before) await context.send({ ...request, operation });
      const response = expectStatus(await context.send(request), status);
      // Only of the demo seed the data are known, and of them only the shape, as times are shifted.
      if (!example || !context.target.can.includes("demo-seed")) return;
      expectSame("body", toShape(example.value), toShape(response.body), response.request);
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
