// Where a location of a request stands in the contract: which clause or decision it rests on, and which names are known
// there, so that an error can say both.
import { type OpenApiDocument, type Provenance, resolve, type SchemaObject } from "./openapi-document.js";
import type { Operation } from "./operations.js";

/** What an error names as its reason: a clause of the document, else a decision. */
export interface Reason {
  clause?: string;
  decision?: string;
}

export interface Place {
  reason: Reason;
  /** For a name that the contract does not know there: the names it knows. */
  known?: string[];
}

const UNKNOWN_PARAMETER: Reason = { decision: "D-28" };

/** The place of a path such as `["query", "limit"]` or `["body", "channels", "email"]` in an operation's request. */
export function placeOf(document: OpenApiDocument, operation: Operation, path: readonly string[]): Place {
  const [source, ...names] = path;
  if (source === "body") return placeInBody(document, operation, names);
  const siblings = operation.parameters.filter((parameter) => parameter.in === source);
  const parameter = siblings.find(({ name }) => name === names[0]);
  if (parameter) return { reason: toReason(parameter) };
  return { reason: UNKNOWN_PARAMETER, known: siblings.map(({ name }) => name) };
}

function placeInBody(document: OpenApiDocument, { object }: Operation, names: string[]): Place {
  let reason = toReason(object.requestBody ?? {});
  let schema = object.requestBody?.content["application/json"]?.schema;
  for (const name of names) {
    if (!schema) break;
    const parent: SchemaObject = resolve<SchemaObject>(document, schema);
    const members = parent.properties ?? {};
    if (!Object.hasOwn(members, name)) {
      return { reason: toReason({ "x-decision": parent["x-decision"] ?? [] }, reason), known: Object.keys(members) };
    }
    schema = members[name];
    reason = toReason(schema ?? {}, reason);
  }
  return { reason };
}

/** The clause or decision that a place names itself, else that of what is around it. */
export function toReason(place: Provenance, around: Reason = {}): Reason {
  const [clause] = [place["x-source"] ?? []].flat();
  if (clause !== undefined) return { clause };
  const [decision] = [place["x-decision"] ?? []].flat();
  return decision === undefined ? around : { decision };
}
