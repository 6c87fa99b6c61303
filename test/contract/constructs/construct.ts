// A construct of OpenAPI: an operation that has it, and what each consumer of the contract makes of it. The constructs
// of a file share one contract, each with a path of its own, so that servers start once.
import { toSmallDocument } from "../../support/small-contract.js";
import type { SocketRequest } from "../../support/socket-request.js";

// biome-ignore lint/suspicious/noExplicitAny: a construct reaches into any part of an operation
export type Any = any;

/**
 * A request and its outcome. A text is a query or path behind the construct's own path, else a JSON body. The outcome
 * is a status, the places of a 422, or parts of the response.
 */
export type Try = [sent: string | Partial<SocketRequest>, outcome: number | string | Expected];

export interface Expected {
  status?: number;
  headers?: Record<string, string | undefined>;
  /** Is in the text of the response. */
  text?: string | RegExp;
  body?: unknown;
  /** The places of a 422. */
  places?: string[];
}

export interface Construct {
  title: string;
  /** The path item. An operation gets a 200 and an error of any JSON unless it declares responses. */
  item: Any;
  /** Behind the construct's own path: `/{id}`. */
  path?: string;
  /** Further path items, by what stands behind the construct's own path. */
  paths?: Record<string, Any>;
  components?: Record<string, object>;
  tries: Try[];
  /** Texts in the operation's section of the docs. */
  docs?: (string | RegExp)[];
  /** Edits of the path item, with what the review says: whom they break, `same` or `undecided`. */
  edits?: [edit: (item: Any) => void, verdict: string][];
}

export const text = { type: "string" };
export const whole = { type: "integer" };
export const list = (items: object | boolean, more: object = {}) => ({ type: "array", items, ...more });
export const object = (properties: object, more: object = {}) => ({ type: "object", properties, ...more });
export const json = (schema: unknown, more: object = {}) => ({ content: { "application/json": { schema, ...more } } });
export const ref = (name: string, section = "schemas") => ({ $ref: `#/components/${section}/${name}` });
export const ERROR = { description: "An error.", ...json({}) };

type More = Omit<Partial<Construct>, "title" | "item" | "tries">;

/** A parameter of a GET, in the query unless it says otherwise. */
export function parameter(title: string, own: object, tries: Try[], more: More = {}): Construct {
  return { title, item: { get: { parameters: [{ in: "query", ...own }] } }, tries, ...more };
}

/** The schema of a required JSON body of a POST. */
export function body(title: string, schema: unknown, tries: Try[], more: More = {}): Construct {
  return { title, item: { post: { requestBody: { required: true, ...json(schema) } } }, tries, ...more };
}

/** The schema of a JSON response of a GET. */
export function response(title: string, schema: unknown, expected: Expected, more: More = {}): Construct {
  const responses = { 200: { description: "ok", ...json(schema) } };
  return { title, item: { get: { responses } }, tries: [["", expected]], ...more };
}

/** `GET /v1/construct-3`, whose operationId is `construct-3-get`. */
export const pathOf = (index: number, { path = "" }: Pick<Construct, "path">) => `/v1/construct-${index}${path}`;

const METHODS = new Set(["get", "put", "post", "patch", "delete", "head", "trace"]);

/** The contract of constructs, whose components have different names. */
export function toDocument(constructs: readonly Construct[]): Any {
  const components: Record<string, Record<string, object>> = {};
  const items = constructs.flatMap((construct, index) => {
    for (const [section, named] of Object.entries(construct.components ?? {}))
      components[section] = { ...components[section], ...named };
    const { path = "", item, paths = {} } = construct;
    return Object.entries({ [path]: item, ...paths }).map(([end, each], number) => {
      const id = number === 0 ? `construct-${index}` : `construct-${index}-${number}`;
      return [pathOf(index, { path: end }), toItem(each, id)];
    });
  });
  return toSmallDocument(Object.fromEntries(items), { components });
}

/** The path item, with an id and responses of each operation. */
function toItem(original: Any, id: string): Any {
  const item = structuredClone(original);
  for (const [method, operation] of Object.entries<Any>(item)) {
    if (!METHODS.has(method)) continue;
    operation.operationId ??= `${id}-${method}`;
    operation.responses ??= { 200: { description: "ok", ...json({}) } };
    operation.responses.default ??= ERROR;
  }
  return item;
}

/** The construct with parameters and a body of the same names, of which every value is valid. */
export function toOpen(construct: Construct): Construct {
  const item: Any = {};
  for (const [method, { parameters, requestBody }] of Object.entries<Any>(construct.item))
    item[method] = {
      ...(parameters && { parameters: parameters.map(toOpenParameter) }),
      ...(requestBody && { requestBody: { required: true, ...json({}) } }),
    };
  return { ...construct, item };
}

function toOpenParameter({ name = "a", in: where = "query" }: Any): object {
  return { name, in: where, schema: {}, required: where === "path" };
}
