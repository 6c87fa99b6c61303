// The named examples of request and response bodies, and each response example with its status and headers.
import type { Operation as ModelOperation } from "./model.js";
import {
  type ExampleObject,
  type HeaderObject,
  type MediaTypeObject,
  type OpenApiDocument,
  type ResponseObject,
  resolve,
} from "./openapi-document.js";
import { findResponse, mainMedia } from "./operation-responses.js";
import { mainContent, type Operation, toStatus } from "./operations.js";
import { writeSimple } from "./parameter-text.js";

export interface ResponseExample {
  name: string;
  status: number;
  /** The required headers, with the values of their examples, and the headers of this example. */
  headers: Readonly<Record<string, string>>;
  body: unknown;
  /** Set unless it is `application/json`. */
  mediaType?: string;
}

/** The examples of a request or response body by name, with references followed. */
export function namedExamples(
  document: OpenApiDocument,
  { content }: { content?: Record<string, MediaTypeObject> } = {},
): [name: string, example: ExampleObject][] {
  const { example, examples = {} } = mainContent(content)?.[1] ?? {};
  const named = Object.entries(examples).map(
    ([name, place]) => [name, resolve<ExampleObject>(document, place)] as [string, ExampleObject],
  );
  return named.length === 0 && example !== undefined ? [["example", { value: example }]] : named;
}

/** All response examples of an operation, by status, then in the contract's order. */
export function examplesOf(document: OpenApiDocument, { object }: Operation): ResponseExample[] {
  return Object.entries(object.responses)
    .map(([key, place]) => [toStatus(key, object), place] as const)
    .toSorted(([one], [other]) => one - other)
    .flatMap(([status, place]) => {
      const response = resolve<ResponseObject>(document, place);
      const required = requiredHeaders(document, response);
      return namedExamples(document, response).map(([name, { value, "x-headers": own = {} }]) => {
        const texts = Object.entries(own).map(([header, sent]) => [header, String(sent)]);
        return { name, status, headers: { ...required, ...Object.fromEntries(texts) }, body: value };
      });
    });
}

/** All response examples of an operation, by status, then in the contract's order. */
export function responseExamplesOf({ responses }: ModelOperation): ResponseExample[] {
  const ordered = responses.toSorted((one, other) => one.status - other.status);
  return ordered.flatMap(({ status, headers, content }) => {
    const required = headers.filter(({ isRequired, example }) => isRequired && example !== undefined);
    const texts = required.map(({ name, example, isExploded }) => [name, writeSimple(example, isExploded)]);
    return (mainMedia({ content })?.examples ?? []).map(({ name, value, object }) => {
      const own = Object.entries(object["x-headers"] ?? {}).map(([header, text]) => [header, String(text)]);
      return { name, status, headers: Object.fromEntries([...texts, ...own]), body: value };
    });
  });
}

/** True if the body of a response example still matches its schema, which may have changed since it was written. */
export function isCurrent(
  operation: ModelOperation,
  { status, body }: Pick<ResponseExample, "status" | "body">,
): boolean {
  return mainMedia(findResponse(operation, status))?.schema?.allows(body) ?? true;
}

/** The required headers of a response that have an example, with its value. */
export function requiredHeaders(document: OpenApiDocument, { headers = {} }: ResponseObject): Record<string, string> {
  const entries = Object.entries(headers).flatMap(([name, place]) => {
    const { required, example } = resolve<HeaderObject>(document, place);
    return required && example !== undefined ? [[name, String(example)]] : [];
  });
  return Object.fromEntries(entries);
}
