// How a bug is planted in the second independent implementation: one method in the place of another.
import type { Backend } from "./backend.js";

/** `hidden`: why ordinary traffic cannot show the bug; without it, an exchange or a short sequence of exchanges does. */
export type Bug = [group: string, title: string, plant: (backend: Backend) => void, hidden?: string];

export const CRAFTED = "only requests that no front-end sends show it";

type Method = {
  [Name in keyof Backend]: Backend[Name] extends (...args: never[]) => unknown ? Name : never;
}[keyof Backend];

/** Wraps a method: `wrap` gets the original and returns what replaces it. */
export function around<Name extends Method>(
  name: Name,
  wrap: (original: Backend[Name], backend: Backend) => Backend[Name],
) {
  return (backend: Backend): void => {
    const original = (backend[name] as (...args: unknown[]) => unknown).bind(backend) as Backend[Name];
    Object.assign(backend, { [name]: wrap(original, backend) });
  };
}

// biome-ignore lint/suspicious/noExplicitAny: JSON of any shape
export type Json = any;
