// Checks the examples: each must be valid against its schema, and a response what the reference server returns for its
// `x-request`.
import type { Contract } from "../../contract/contract.js";
import type { Example as ContractExample, ExampleRequest, Operation } from "../../contract/model.js";
import { findResponse, mainMedia } from "../../contract/operation-responses.js";
import type { Schema } from "../../contract/schema.js";
import { splitTarget } from "../../contract/target.js";
import { placeOf } from "../../contract/violation.js";
import { implementationOf } from "../../core/operations/call-operation.js";
import { cutAround, findDifferences } from "../difference.js";
import { pathNamesOf } from "./changes/operation-version.js";
import { createReplay, type ReplayedResponse } from "./example-replay.js";

export interface ExampleReview {
  /** `listNotifications › 200 › firstPage`. */
  title: string;
  operation: string;
  /** The response's, or "request" for an example of a request body. */
  status: string;
  summary: string | undefined;
  line: number;
  /**
   * A request is "accepted" by its schema; a response is "matched", or "unreplayed" if the server cannot run or lacks
   * the condition.
   */
  outcome: "matched" | "accepted" | "failed" | "unreplayed";
  errors: ExampleError[];
  /** Why it was not replayed. */
  note?: string;
  /** The places of the request that the example's or the server's error names: `query.limit`. */
  violated: string[];
}

interface ExampleError {
  text: string;
  /** In the form of a change's place: `200 body.data[].status`. */
  place: string;
  /** The status of the response, if it is not that of the example. */
  status?: number;
  /** Of the wrong value; absent where the example is wrong as a whole. */
  line?: number;
}

/** Before its place is in the form of a change's. */
type Wrong = Omit<ExampleError, "line"> & { path?: readonly string[] };

interface Example {
  operation: Operation;
  status: string;
  /** The schema of the body. */
  schema: Schema | undefined;
  example: ContractExample;
}

export async function reviewExamples(contract: Contract): Promise<ExampleReview[]> {
  const replay = createReplay(contract);
  const reviews: ExampleReview[] = [];
  for (const one of findExamples(contract)) {
    const { operation, status, schema, example } = one;
    const isMocked = !implementationOf(operation);
    const isServable = example.object["x-given"]?.condition !== "rateLimit"; // the reference server has none (D-54)
    const isReplayable = isServable && !isMocked;
    const request = status === "request" || !isReplayable ? undefined : example.object["x-request"];
    const response =
      request && findAbsent(operation, request).length === 0
        ? await replay(operation, request, example.object["x-given"])
        : undefined;
    const success = status === "request" ? "accepted" : isReplayable ? "matched" : "unreplayed";
    const violations = schema?.check(example.value, ["body"], status === "request" ? "request" : "response") ?? [];
    const wrong: Wrong[] = [
      ...violations.map(({ location: place, path = [], message }) => {
        return { place, path: path.slice(1), text: `${place} ${message}` };
      }),
      ...(success === "matched" && !response ? [{ place: "", text: findMissing(one) }] : []),
      ...(response ? compare(one, response) : []).filter(
        ({ place }) => !violations.some((one) => one.location === place),
      ),
    ];
    const prefix = status === "request" ? "" : `${status} `;
    const errors = wrong.map(({ path, ...error }) => ({
      ...{ ...error, place: `${prefix}${placeOf(error.place)}` },
      ...(path ? { line: contract.file.lineOf([...example.pointer, "value", ...path]) } : {}),
    }));
    reviews.push({
      title: `${operation.id} › ${status} › ${example.name}`,
      operation: operation.id,
      status,
      summary: example.object.summary,
      line: contract.file.lineOf(example.pointer),
      outcome: errors.length > 0 ? "failed" : success,
      errors,
      ...(isMocked ? { note: "mocked: nobody has implemented the operation" } : {}),
      violated: [example.value, response?.body].flatMap(violationsIn).map(placeOf),
    });
  }
  return reviews;
}

/** The examples of responses and request bodies; those that operations share appear once. */
function findExamples({ operations }: Contract): Example[] {
  const all = operations.flatMap((operation) => {
    const ofRequest = operation.body ? [["request", operation.body] as const] : [];
    const ofResponses = operation.responses.map((response) => [response.key, response] as const);
    return [...ofRequest, ...ofResponses].flatMap(([status, { content }]) => {
      const media = mainMedia({ content });
      return (media?.examples ?? []).map((example): Example => {
        const requested = operations.find(({ id }) => id === example.object["x-request"]?.operation) ?? operation;
        return { operation: requested, status, schema: media?.schema, example };
      });
    });
  });
  return [...new Map(all.map((item) => [item.example.object, item])).values()];
}

function findMissing({ operation, example: { object } }: Example): string {
  const { "x-request": request } = object;
  if (!request) return "it has no x-request that leads to it";
  return `its x-request has no path parameter ${findAbsent(operation, request).join(", ")}`;
}

/** The path parameters that a request lacks. */
function findAbsent(operation: Operation, request: ExampleRequest): string[] {
  return pathNamesOf(operation).filter((name) => request.path?.[name] === undefined);
}

function compare({ operation, status, example: { value } }: Example, response: ReplayedResponse): Wrong[] {
  const { message } = (response.body ?? {}) as { message?: string };
  // The message of a 500 explains nothing.
  const isExplained = message && response.status >= 400 && response.status !== 500;
  const outcome = `the server sends ${response.status}${isExplained ? ` (${message})` : ""}`;
  const isOther = (promised: string) => [
    { place: "", text: `${outcome} instead of ${promised}`, status: response.status },
  ];
  if (findResponse(operation, response.status)?.key !== status) return isOther(status);
  return [...findDifferences(toComparable(value), toComparable(response.body), "body")].map((difference) => {
    const texts = cutAround(difference.expected, difference.actual);
    const { place, path } = difference;
    return { place, path, text: `at ${place}, the server sends ${texts[1]} instead of ${texts[0]}` };
  });
}

/** The keys of `errors` in the body of a rejection. */
const violationsIn = (body: unknown) => Object.keys((body as { errors?: object } | undefined)?.errors ?? {});

/** Error ids differ from run to run, and the message repeats them. The order of a query's parameters means nothing. */
function toComparable(body: unknown): unknown {
  const { errorId, path } = (body ?? {}) as { errorId?: unknown; path?: unknown };
  const whole = typeof errorId === "string" ? JSON.parse(JSON.stringify(body).replaceAll(errorId, "errorId")) : body;
  if (typeof path !== "string") return whole;
  const target = splitTarget(path);
  return target.query === undefined ? whole : { ...whole, path: [target.path, ...target.query.split("&").toSorted()] };
}
