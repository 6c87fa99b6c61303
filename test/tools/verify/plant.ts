// Plants bugs in the second independent implementation by replacing its methods.
import { type Backend, Rejection } from "./backend.js";

export type Plant = (backend: Backend) => void;

// biome-ignore lint/suspicious/noExplicitAny: JSON of any shape
export type Json = any;

export type Method = {
  [Name in keyof Backend]: Backend[Name] extends (...args: never[]) => unknown ? Name : never;
}[keyof Backend];

/** What a replacement may use besides its arguments: the original method, the backend, and what bugs remember in it. */
interface Context<Name extends Method> {
  original: Backend[Name];
  backend: Backend;
  environments: Backend["environments"];
  memory: Json;
}

export type Arguments<Name extends Method> = Parameters<Backend[Name]>;

type Replacements = {
  [Name in Method]: (context: Context<Name>, ...args: Arguments<Name>) => ReturnType<Backend[Name]>;
};

export function around<Name extends Method>(name: Name, replacement: Replacements[Name]): Plant {
  return (backend) => {
    const { environments, memory } = backend;
    const original = (backend[name] as Json).bind(backend);
    const context = { original, backend, environments, memory };
    Object.assign(backend, { [name]: (replacement as Json).bind(undefined, context) });
  };
}

export function plantAll(...plants: Plant[]): Plant {
  return (backend) => {
    for (const plant of plants) plant(backend);
  };
}

export const inErrors = (change: (error: Json, backend: Backend) => object): Plant =>
  around("toError", ({ original, backend }, status, request) => change(original(status, request), backend));

/** Changes a page. */
export const inPages = (change: (page: Json, query: Json, environment: Json) => object): Plant =>
  around("list", ({ original }, environment, query) => {
    const [status, body] = original(environment, query);
    return [status, { ...body, ...change(body, query, environment) }];
  });

export function reject(status: number, headers: Record<string, string> = {}): never {
  throw new Rejection(status, {}, headers);
}
