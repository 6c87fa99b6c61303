// Finds what an operation declares for a status, a body or a media type.
import { preferred } from "./media-type.js";
import type { DeclaredResponse, MediaType, Operation } from "./model.js";

/** The declaration of a status: its own, then that of its range, then `default`. */
export function findResponse({ responses }: Operation, status: number): DeclaredResponse | undefined {
  const range = `${Math.floor(status / 100)}XX`;
  const find = (key: string) => responses.find((response) => response.key.toUpperCase() === key);
  return find(String(status)) ?? find(range) ?? find("DEFAULT");
}

/** The lowest declared success, else `default`, else any other response. */
export function successOf({ responses }: Operation): DeclaredResponse | undefined {
  const ordered = responses.toSorted((one, other) => (one.key < other.key ? -1 : 1));
  return ordered.find(({ key }) => key.startsWith("2")) ?? ordered.find(({ key }) => key === "default") ?? ordered[0];
}

/** The media type of a body where nothing chooses: JSON if declared, else the first one. */
export function mainMedia({ content }: { content: readonly MediaType[] } = { content: [] }): MediaType | undefined {
  return preferred(content);
}

/** The names of all response headers, in the order of their first use. */
export function headerNamesOf(operations: readonly Operation[]): string[] {
  const headers = operations.flatMap(({ responses }) => responses.flatMap((response) => response.headers));
  return [...new Set(headers.map(({ name }) => name))];
}

/** The status of an invalid request: 422, or 400 if the contract declares only that. */
export function rejectionStatusOf({ responses }: Operation): number {
  const isDeclared = (key: string) => responses.some((response) => response.key === key);
  return !isDeclared("422") && isDeclared("400") ? 400 : 422;
}
