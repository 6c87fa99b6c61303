// Verifies the examples: each is valid by its schema, and is what the reference server returns for its `x-request`.
import { isDeepStrictEqual } from "node:util";
import type { Contract } from "../contract/contract.js";
import type { Pointer } from "../contract/contract-file.js";
import { namedExamples } from "../contract/examples.js";
import {
  type ExampleObject,
  type MediaTypeObject,
  type ResponseObject,
  resolve,
  valueAt,
} from "../contract/openapi-document.js";
import type { Operation } from "../contract/operations.js";
import { follow, pointerTo } from "./changes/operation-version.js";
import { openReplay, type ReplayedResponse } from "./example-replay.js";

export interface ExampleReview {
  /** `listNotifications › 200 › firstPage`. */
  title: string;
  operation: string;
  summary: string | undefined;
  line: number;
  /** Of a request "accepted", of a response "matched", of both "failed". */
  outcome: "matched" | "accepted" | "failed";
  errors: string[];
}

interface Example {
  operation: Operation;
  status: string;
  name: string;
  pointer: Pointer;
  /** Of the body. */
  schema: Pointer;
  example: ExampleObject;
}

export async function reviewExamples(contract: Contract): Promise<ExampleReview[]> {
  const examples = findExamples(contract);
  const responses = await replayAll(contract, examples);
  return examples.map((one) => {
    const { operation, status, name, pointer, schema, example } = one;
    const response = responses.get(one);
    const errors = [
      ...checkSchema(contract, schema, example),
      ...(response ? compare(status, example, response) : ["it has no x-request that leads to it"]),
    ];
    return {
      title: `${operation.id} › ${status} › ${name}`,
      operation: operation.id,
      summary: example.summary,
      line: contract.file.lineOf(pointer),
      outcome: errors.length > 0 ? "failed" : status === "request" ? "accepted" : "matched",
      errors,
    };
  });
}

/** The examples of responses and of request bodies. */
function findExamples(contract: Contract): Example[] {
  const { document, operations } = contract;
  const all = operations.flatMap((operation) => {
    const { requestBody, responses } = operation.object;
    const places = [
      ...(requestBody ? [{ status: "request", place: requestBody, below: ["requestBody"] }] : []),
      ...Object.entries(responses).map(([status, place]) => ({ status, place, below: ["responses", status] })),
    ];
    return places.flatMap(({ status, place, below }) => {
      const base = follow(place, pointerTo({ contract, operation }, ...below));
      const media = [...base, "content", "application/json"];
      const holder = resolve<Pick<ResponseObject, "content">>(document, place);
      const { examples } = (valueAt(document, media) ?? {}) as Partial<MediaTypeObject>;
      return namedExamples(document, holder).map(([name, example]) => {
        const pointer = follow(examples?.[name], [...media, "examples", name]);
        const requested = operations.find(({ id }) => id === example["x-request"]?.operation) ?? operation;
        return { operation: requested, status, name, pointer, schema: [...media, "schema"], example };
      });
    });
  });
  return [...new Map(all.map((one) => [one.pointer.join("/"), one])).values()]; // the operations share some of them
}

function checkSchema({ schemas }: Contract, schema: Pointer, { value }: ExampleObject): string[] {
  const violations = schemas.check(schema, value, "body");
  return violations.map(({ location, message }) => `by its schema, ${location} ${message}`);
}

async function replayAll(contract: Contract, examples: Example[]): Promise<Map<Example, ReplayedResponse>> {
  const { send, close } = await openReplay(contract);
  const responses = new Map<Example, ReplayedResponse>();
  try {
    for (const one of examples) {
      const request = one.status === "request" ? toBodyRequest(examples, one) : one.example["x-request"];
      if (request) responses.set(one, await send(one.operation, request, one.example["x-given"]));
    }
  } finally {
    await close();
  }
  return responses;
}

/** A body needs a path: that of an example of success. */
function toBodyRequest(examples: Example[], { operation, example }: Example) {
  const success = examples.find(
    (other) => other.operation === operation && other.status === "200" && other.example["x-request"],
  );
  return success && { ...success.example["x-request"], body: example.value };
}

function compare(status: string, { value }: ExampleObject, response: ReplayedResponse): string[] {
  if (status === "request") return response.status < 300 ? [] : [`the server responds with ${response.status}`];
  if (String(response.status) !== status) return [`the server responds with ${response.status}, not ${status}`];
  const place = findDifference(withoutErrorId(response.body), withoutErrorId(value), "body");
  return place ? [`the server's response differs at ${place}`] : [];
}

/** The id of an error differs from run to run; the message repeats it. */
function withoutErrorId(body: unknown): unknown {
  const { errorId } = (body ?? {}) as { errorId?: unknown };
  return typeof errorId === "string" ? JSON.parse(JSON.stringify(body).replaceAll(errorId, "errorId")) : body;
}

function findDifference(one: unknown, other: unknown, place: string): string | undefined {
  if (isDeepStrictEqual(one, other)) return undefined;
  if (typeof one !== "object" || typeof other !== "object" || !one || !other) return place;
  for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
    const difference = findDifference((one as never)[key], (other as never)[key], `${place}.${key}`);
    if (difference) return difference;
  }
  return undefined;
}
