// The examples, proven: each is valid by its schema, and each with an `x-request` is what the reference server answers to
// that request on the demo seed with the clock at its `asOf`.
import { isDeepStrictEqual } from "node:util";
import pino from "pino";
import { createApp } from "../app.js";
import type { Contract } from "../contract/contract.js";
import type { Pointer } from "../contract/contract-file.js";
import { type ExampleObject, type ResponseObject, resolve } from "../contract/openapi-document.js";
import type { Operation } from "../contract/operations.js";
import { createFrozenClock } from "../domain/clock.js";
import { startListener } from "../listener.js";
import { loadSeed } from "../store/seed.js";
import { openStore } from "../store/store.js";
import { follow, pointerTo } from "./changes/contract-pair.js";
import { toWireRequest } from "./wire-request.js";

export interface ExampleReview {
  /** `listNotifications › 200 › firstPage`. */
  title: string;
  operation: string;
  summary: string | undefined;
  line: number;
  /** "not replayed": no single request leads to it on a healthy server; it is held to its schema alone. */
  outcome: "holds" | "not replayed" | "broken";
  /** What is wrong. */
  faults: string[];
}

interface Example {
  operation: Operation;
  status: string;
  name: string;
  pointer: Pointer;
  example: ExampleObject;
}

/** Members that differ from run to run: compared by type. */
const VOLATILE = new Set(["errorId"]);

export async function reviewExamples(contract: Contract): Promise<ExampleReview[]> {
  const examples = findExamples(contract);
  const replayed = await replay(contract, examples);
  return examples.map((one) => {
    const { operation, status, name, pointer, example } = one;
    const answered = replayed.get(one);
    const faults = [
      ...checkSchema(contract, pointer, example),
      ...(answered ? compare(status, example, answered) : []),
    ];
    const outcome = faults.length > 0 ? "broken" : answered ? "holds" : "not replayed";
    const title = `${operation.id} › ${status} › ${name}`;
    return {
      title,
      operation: operation.id,
      summary: example.summary,
      line: contract.file.lineOf(pointer),
      outcome,
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
      const { content } = resolve<Pick<ResponseObject, "content">>(document, place);
      return Object.entries(content?.["application/json"]?.examples ?? {}).map(([name, example]) => {
        const pointer = [...base, "content", "application/json", "examples", name];
        const asked = operations.find(({ id }) => id === example["x-request"]?.operation) ?? operation;
        return { operation: asked, status, name, pointer, example };
      });
    });
  });
  return [...new Map(all.map((one) => [one.pointer.join("/"), one])).values()]; // both operations have some of them
}

function checkSchema({ schemas }: Contract, pointer: Pointer, { value }: ExampleObject): string[] {
  const problems = schemas.check([...pointer.slice(0, -2), "schema"], value, "body");
  return problems.map(({ location, message }) => `by its schema, ${location} ${message}`);
}

interface Answered {
  status: number;
  body: unknown;
}

/** Each example in an environment of its own: an update must not change the next answer. */
async function replay(contract: Contract, examples: Example[]): Promise<Map<Example, Answered>> {
  const seed = await loadSeed("demo", contract);
  const now = new Date(seed.asOf);
  const clock = createFrozenClock(now);
  const store = await openStore({ contract, folder: undefined, apiKey: "review", seed: async () => seed, clock });
  const log = pino({ level: "silent" });
  const app = createApp({ contract, store, clock, log, plan: "enterprise", checkAnswers: false });
  const listener = await startListener(app, { host: "127.0.0.1", port: 0 });
  const answers = new Map<Example, Answered>();
  try {
    for (const [index, one] of examples.entries()) {
      const asked = one.status === "request" ? toBodyRequest(examples, one) : one.example["x-request"];
      if (!asked) continue;
      const apiKey = `review-${index}`;
      await store.create({ name: apiKey, apiKey, seed, now, isDurable: false });
      const { target, ...request } = toWireRequest(one.operation, asked, apiKey);
      const answer = await fetch(`${listener.url}${target}`, request);
      answers.set(one, { status: answer.status, body: await answer.json() });
    }
  } finally {
    await listener.stop();
    await store.close();
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
  const place = findDifference(answered.body, value, "body");
  return place ? [`the server answers something else at ${place}`] : [];
}

function findDifference(one: unknown, other: unknown, place: string): string | undefined {
  if (isDeepStrictEqual(one, other)) return undefined;
  const isVolatile = VOLATILE.has(place.split(".").at(-1) ?? "");
  if (isVolatile && typeof one === typeof other) return undefined;
  if (typeof one !== "object" || typeof other !== "object" || !one || !other) return place;
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  for (const key of keys) {
    const found = findDifference((one as never)[key], (other as never)[key], `${place}.${key}`);
    if (found) return found;
  }
  return undefined;
}
