// Each response example of an operation, with its status and headers.
import type { Operation } from "./model.js";
import type { ExampleRequest } from "./openapi-document.js";
import { mainMedia } from "./operation-responses.js";
import { writeSimple } from "./write-parameter.js";

export interface ResponseExample {
  name: string;
  status: number;
  /** The required headers, with the values of their examples, and the headers of this example. */
  headers: Readonly<Record<string, string>>;
  body: unknown;
  /** Set unless it is `application/json`. */
  mediaType?: string;
  /** The request that it responds to, whose names its message has. */
  request?: ExampleRequest | undefined;
}

/** All response examples of an operation, by status, then in the contract's order. */
export function responseExamplesOf({ responses }: Operation): ResponseExample[] {
  const ordered = responses.toSorted((one, other) => one.status - other.status);
  return ordered.flatMap(({ status, headers, content }) => {
    const required = headers.filter(({ isRequired, example }) => isRequired && example !== undefined);
    const texts = required.map(({ name, example, isExploded }) => [name, writeSimple(example, isExploded)]);
    return (mainMedia({ content })?.examples ?? []).map(({ name, value, object }) => {
      const own = Object.entries(object["x-headers"] ?? {}).map(([header, text]) => [header, String(text)]);
      return {
        name,
        status,
        headers: Object.fromEntries([...texts, ...own]),
        body: value,
        request: object["x-request"],
      };
    });
  });
}
