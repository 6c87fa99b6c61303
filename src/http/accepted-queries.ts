// Requests without a body that the contract has accepted, and the values of their queries: whoever polls asks the same
// again and again, and the contract would say the same. What it refuses is judged anew each time.
import type { Request } from "express";
import type { Operation } from "../contract/operations.js";

type Values = Request["query"];

export interface AcceptedQueries {
  /** The values of an equal request that was accepted. They are frozen. */
  find(request: Request): Values | undefined;
  /** Notes a request as it was sent; the function is for its values, once it is accepted. */
  remember(request: Request): (values: Values) => void;
}

const MOST_QUERIES = 1000;
const LONGEST_KEY = 4096; // characters

export function createAcceptedQueries({ parameters }: Operation): AcceptedQueries {
  const accepted = new Map<string, Values>();
  const headers = parameters.filter((parameter) => parameter.in === "header").map(({ name }) => name.toLowerCase());

  /** All that the contract judges: where the request goes, and the headers that are parameters. */
  function toKey(request: Request): string {
    return headers.reduce((key, name) => `${key}\n${toText(request.headers[name])}`, request.originalUrl);
  }

  return {
    find: (request) => accepted.get(toKey(request)),
    remember(request) {
      const key = toKey(request);
      return (values) => {
        if (key.length > LONGEST_KEY) return;
        const [oldest] = accepted.keys();
        if (accepted.size >= MOST_QUERIES && oldest !== undefined) accepted.delete(oldest);
        for (const value of Object.values(values)) Object.freeze(value);
        accepted.set(key, Object.freeze(values));
      };
    },
  };
}

/** An empty header is not a missing one. */
function toText(value: string | string[] | undefined): string {
  return value === undefined ? "" : `=${value}`;
}
