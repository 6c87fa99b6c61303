// The examples, proven: each is valid by its schema, and each is what the reference server answers to its `x-request`.
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
import { follow, pointerTo } from "./changes/contract-pair.js";
import { type Answered, openReplay } from "./example-replay.js";

export interface ExampleReview {
  /** `listNotifications › 200 › firstPage`. */
  title: string;
  operation: string;
  summary: string | undefined;
  line: number;
  /** "accepted" is a request, "holds" an answer. */
  outcome: "holds" | "accepted" | "broken";
  /** What is wrong. */
  faults: string[];
}

interface Example {
  operation: Operation;
  status: string;
  name: string;
  /** Where it is written. */
  pointer: Pointer;
  /** Of the body that it shows. */
  schema: Pointer;
  example: ExampleObject;
}

export async function reviewExamples(contract: Contract): Promise<ExampleReview[]> {
  const examples = findExamples(contract);
  const replayed = await replayAll(contract, examples);
  return examples.map((one) => {
    const { operation, status, name, pointer, schema, example } = one;
    const answered = replayed.get(one);
    const faults = [
      ...checkSchema(contract, schema, example),
      ...(answered ? compare(status, example, answered) : ["it has no x-request that leads to it"]),
    ];
    const proven = status === "request" ? "accepted" : "holds";
    const title = `${operation.id} › ${status} › ${name}`;
    return {
      title,
      operation: operation.id,
      summary: example.summary,
      line: contract.file.lineOf(pointer),
      outcome: faults.length > 0 ? "broken" : proven,
      faults,
    };
  });
}

/** The examples of answers and of request bodies. */
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
        const asked = operations.find(({ id }) => id === example["x-request"]?.operation) ?? operation;
        return { operation: asked, status, name, pointer, schema: [...media, "schema"], example };
      });
    });
  });
  return [...new Map(all.map((one) => [one.pointer.join("/"), one])).values()]; // both operations have some of them
}

function checkSchema({ schemas }: Contract, schema: Pointer, { value }: ExampleObject): string[] {
  const problems = schemas.check(schema, value, "body");
  return problems.map(({ location, message }) => `by its schema, ${location} ${message}`);
}

async function replayAll(contract: Contract, examples: Example[]): Promise<Map<Example, Answered>> {
  const { ask, close } = await openReplay(contract);
  const answers = new Map<Example, Answered>();
  try {
    for (const one of examples) {
      const request = one.status === "request" ? toBodyRequest(examples, one) : one.example["x-request"];
      if (request) answers.set(one, await ask(one.operation, request, one.example["x-given"]));
    }
  } finally {
    await close();
  }
  return answers;
}

/** A body needs a path: the one of an example of success. It holds when it is accepted. */
function toBodyRequest(examples: Example[], { operation, example }: Example) {
  const shown = examples.find(
    (other) => other.operation === operation && other.status === "200" && other.example["x-request"],
  );
  return shown && { ...shown.example["x-request"], body: example.value };
}

function compare(status: string, { value }: ExampleObject, answered: Answered): string[] {
  if (status === "request") return answered.status < 300 ? [] : [`the server answers ${answered.status} to it`];
  if (String(answered.status) !== status) return [`the server answers ${answered.status}, not ${status}`];
  const place = findDifference(withoutVolatile(answered.body), withoutVolatile(value), "body");
  return place ? [`the server answers something else at ${place}`] : [];
}

/** The id of an error differs from run to run; the message repeats it. */
function withoutVolatile(body: unknown): unknown {
  const { errorId } = (body ?? {}) as { errorId?: unknown };
  return typeof errorId === "string" ? JSON.parse(JSON.stringify(body).replaceAll(errorId, "errorId")) : body;
}

function findDifference(one: unknown, other: unknown, place: string): string | undefined {
  if (isDeepStrictEqual(one, other)) return undefined;
  if (typeof one !== "object" || typeof other !== "object" || !one || !other) return place;
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  for (const key of keys) {
    const found = findDifference((one as never)[key], (other as never)[key], `${place}.${key}`);
    if (found) return found;
  }
  return undefined;
}
