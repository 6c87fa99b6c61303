// The form of OpenAPI 3.1 and JSON Schema that this project's tools read. `toDialect` removes and lists what they do not
// support; `review` leaves changes of it undecided. `toDocument` moves what an author may write in several places into one.
import type { Pointer } from "./contract-file.js";
import {
  type OpenApiDocument,
  type OperationObject,
  type ParameterObject,
  type PathItemObject,
  resolve,
} from "./openapi-document.js";
import { isJson, METHODS } from "./operations.js";
import { isData, isNameMap } from "./walk-contract.js";

/** A part of a contract that the tools ignore. */
export interface UncheckedPlace {
  pointer: Pointer;
  /** `prefixItems`, for example. */
  construct: string;
  /** Why it is not supported. */
  reason: string;
  value: unknown;
}

const NOT_SERVED = "is not served";

/** Keywords that are removed, each with what express-openapi-validator (EOV), Prism or openapi-typescript would make of it. */
const REMOVED = new Map([
  ["prefixItems", "EOV responds with 500 to every request unless minItems and maxItems are equal; Prism generates []"],
  ["unevaluatedItems", "Prism does not check it, and it has no type"],
  ["unevaluatedProperties", "Prism does not check it, and it has no type"],
  ["discriminator", "EOV's errors lose their place in the body"],
  ["nullable", "is not OpenAPI 3.1; EOV applies it, the other tools do not. Use type: [string, 'null']"],
  ["callbacks", NOT_SERVED],
  ["webhooks", NOT_SERVED],
]);

/** Parts that stay, since requests may use them, but are not checked. */
const IGNORED = new Map([
  ["style: deepObject", "EOV turns an absent one into {}; Prism accepts unknown keys"],
  ["in: cookie", "cookies are not read"],
  ...["type: oauth2", "type: openIdConnect", "type: mutualTLS", "scheme: basic"].map(
    (scheme) => [scheme, "the API key alone gives access"] as const,
  ),
]);

/** Returns the same document if it has nothing to remove. */
export function toDialect<T>(document: T): { document: T; unchecked: UncheckedPlace[] } {
  const unchecked: UncheckedPlace[] = [];
  const reduced = reduce(document, [], unchecked) as T;
  return { document: unchecked.length === 0 ? document : reduced, unchecked };
}

function reduce(value: unknown, pointer: Pointer, unchecked: UncheckedPlace[]): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item, index) => reduce(item, [...pointer, index], unchecked));
  const entries = Object.entries(value).flatMap(([key, child]) => {
    if (isData(key, pointer)) return [[key, child]];
    const place = { pointer: [...pointer, key], value: child };
    const removed = isNameMap(pointer) ? undefined : REMOVED.get(key);
    if (removed) {
      unchecked.push({ ...place, construct: key, reason: removed });
      return [];
    }
    const isOther = isOtherBody(key, pointer);
    const construct = isOther ? key : `${key}: ${child}`;
    const ignored = isOther ? "a body that is not JSON is not validated" : IGNORED.get(construct);
    if (ignored) unchecked.push({ ...place, construct, reason: ignored });
    return [[key, reduce(child, place.pointer, unchecked)]];
  });
  return Object.fromEntries(entries);
}

/** True if the key is the media type of a request body that is not JSON. */
function isOtherBody(key: string, pointer: Pointer): boolean {
  const isOfRequest = pointer.at(-2) === "requestBody" || pointer.at(-3) === "requestBodies";
  return isOfRequest && pointer.at(-1) === "content" && !isJson(key);
}

/** Adds empty sections that a document omits, and completes its operations. */
export function toDocument(document: OpenApiDocument): OpenApiDocument {
  const sections: Partial<OpenApiDocument["components"]> = document.components ?? {};
  const components = { schemas: {}, parameters: {}, headers: {}, responses: {}, ...sections };
  const paths = Object.entries(document.paths ?? {}).map(([path, place]) => {
    const item = resolve<PathItemObject>(document, place);
    const operations = METHODS.flatMap((method) => {
      const operation = item[method];
      return operation ? [[method, toWhole(document, operation, item)]] : [];
    });
    return [path, { ...item, ...Object.fromEntries(operations) }];
  });
  return { ...document, paths: Object.fromEntries(paths), components, "x-decisions": document["x-decisions"] ?? {} };
}

/** Gives an operation the parameters of its path, its request body instead of a reference, and a response if it has none. */
function toWhole(document: OpenApiDocument, operation: OperationObject, item: PathItemObject): OperationObject {
  const keyOf = (place: ParameterObject) => {
    const { name, in: where } = resolve<ParameterObject>(document, place);
    return `${where} ${name}`;
  };
  const own = (operation.parameters ?? []) as ParameterObject[];
  const ownKeys = new Set(own.map(keyOf)); // they replace parameters of the path
  const shared = ((item.parameters ?? []) as unknown as ParameterObject[]).filter(
    (place) => !ownKeys.has(keyOf(place)),
  );
  const requestBody = operation.requestBody && { requestBody: resolve(document, operation.requestBody) };
  const statuses = Object.entries(operation.responses ?? {}).filter(([status]) => !status.startsWith("x-"));
  const responses = statuses.length > 0 ? Object.fromEntries(statuses) : { default: { description: "" } };
  return { ...operation, parameters: [...shared, ...own], ...requestBody, responses };
}
