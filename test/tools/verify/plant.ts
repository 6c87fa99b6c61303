// Plants bugs in the second independent implementation by replacing its methods.
import { type Backend, Rejection } from "./backend.js";

export type Plant = (backend: Backend) => void;

type Method = {
  [Name in keyof Backend]: Backend[Name] extends (...args: never[]) => unknown ? Name : never;
}[keyof Backend];

/** Wraps a method: `wrap` gets the original and returns the replacement. */
export function around<Name extends Method>(
  name: Name,
  wrap: (original: Backend[Name], backend: Backend) => Backend[Name],
) {
  return (backend: Backend): void => {
    const original = (backend[name] as (...args: unknown[]) => unknown).bind(backend) as Backend[Name];
    Object.assign(backend, { [name]: wrap(original, backend) });
  };
}

export function plantAll(...plants: Plant[]): Plant {
  return (backend) => {
    for (const plant of plants) plant(backend);
  };
}

// biome-ignore lint/suspicious/noExplicitAny: JSON of any shape
export type Json = any;

export const inErrors = (change: (error: Json, backend: Backend) => object): Plant =>
  around("toError", (original, backend) => (status, request) => change(original(status, request), backend));

/** Changes a page, whatever was requested. */
export const inPages = (change: (page: Json) => object) =>
  around("list", (original) => (environment, query) => {
    const [status, body] = original(environment, query);
    return [status, { ...body, ...change(body) }];
  });

export function reject(status: number, headers: Record<string, string> = {}): never {
  throw new Rejection(status, {}, headers);
}
