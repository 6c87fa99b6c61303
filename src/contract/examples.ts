// The named examples of request and response bodies, and each response example with its status and headers.
import {
  type ExampleObject,
  type HeaderObject,
  type MediaTypeObject,
  type OpenApiDocument,
  type ResponseObject,
  resolve,
} from "./openapi-document.js";
import type { Operation } from "./operations.js";

export interface ResponseExample {
  name: string;
  status: number;
  /** The headers that the contract requires with this status, as its header examples have them. */
  headers: Readonly<Record<string, string>>;
  body: unknown;
}

/** The examples of a request or response body by name, references to `components/examples` followed. */
export function namedExamples(
  document: OpenApiDocument,
  { content }: { content?: Record<string, MediaTypeObject> } = {},
): [name: string, example: ExampleObject][] {
  const examples = Object.entries(content?.["application/json"]?.examples ?? {});
  return examples.map(([name, place]) => [name, resolve<ExampleObject>(document, place)]);
}

/** All response examples of an operation, by status, then in the contract's order. */
export function examplesOf(document: OpenApiDocument, { object }: Operation): ResponseExample[] {
  return Object.entries(object.responses)
    .toSorted(([one], [other]) => Number(one) - Number(other))
    .flatMap(([status, place]) => {
      const response = resolve<ResponseObject>(document, place);
      const headers = requiredHeaders(document, response);
      const examples = namedExamples(document, response);
      return examples.map(([name, { value }]) => ({ name, status: Number(status), headers, body: value }));
    });
}

/** The headers that the contract requires of a response, with their example values. */
export function requiredHeaders(document: OpenApiDocument, { headers = {} }: ResponseObject): Record<string, string> {
  const resolved = Object.entries(headers).map(
    ([name, place]) => [name, resolve<HeaderObject>(document, place)] as const,
  );
  return Object.fromEntries(
    resolved.filter(([, { required }]) => required).map(([name, { example }]) => [name, String(example)]),
  );
}
