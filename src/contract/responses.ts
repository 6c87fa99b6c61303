// What an operation declares for a status.
import type { Pointer } from "./contract-file.js";
import { type OpenApiDocument, type ResponseObject, resolve, toPointer } from "./openapi-document.js";
import type { Operation } from "./operations.js";

/** Says that a response is not of an implementation: the one header of ours that no contract has to declare. */
export const MOCKED_HEADER = "X-Mocked";

export interface DeclaredResponse {
  /** `200`, `4XX` or `default`. */
  key: string;
  object: ResponseObject;
  /** Where it stands, references followed. */
  pointer: Pointer;
}

/** The declaration of a status: its own, else that of its range, else `default`. */
export function findResponse(
  document: OpenApiDocument,
  { path, method, object: { responses } }: Operation,
  status: number,
): DeclaredResponse | undefined {
  const range = `${Math.floor(status / 100)}XX`;
  const key = [String(status), range, range.toLowerCase(), "default"].find((name) => Object.hasOwn(responses, name));
  const place = key === undefined ? undefined : responses[key];
  if (key === undefined || !place) return undefined;
  const pointer = "$ref" in place ? toPointer(place.$ref) : ["paths", path, method, "responses", key];
  return { key, object: resolve<ResponseObject>(document, place), pointer };
}

/** The status that stands for a declaration: of a range the first one; of `default` a success, or else an error, that has none of its own. */
export function toStatus(key: string, { responses }: Operation["object"]): number {
  if (key !== "default") return Number(key.replace(/xx$/i, "00"));
  const hasSuccess = Object.keys(responses).some((name) => name.startsWith("2"));
  return [...(hasSuccess ? [] : [200]), 500, 400].find((status) => !Object.hasOwn(responses, String(status))) ?? 418;
}

/** The statuses that an operation declares, those of ranges and of `default` by the status that stands for them. */
export function declaredStatusesOf({ object }: Pick<Operation, "object">): number[] {
  return Object.keys(object.responses).map((key) => toStatus(key, object));
}

/** Of a success as the operation declares it: the lowest, else that of `default`, else whatever there is. */
export function successStatusOf({ object }: Operation): number {
  const keys = Object.keys(object.responses).toSorted();
  const key = keys.find((name) => name.startsWith("2")) ?? keys.find((name) => name === "default") ?? keys[0];
  return key === undefined ? 200 : toStatus(key, object);
}
