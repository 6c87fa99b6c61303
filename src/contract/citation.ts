// Finds the clause or decision behind a place of the contract, for the errors about it. For a request it also finds the names
// that are known there.
import {
  type HeaderObject,
  type OpenApiDocument,
  type Provenance,
  type ResponseObject,
  resolve,
  type SchemaObject,
} from "./openapi-document.js";
import { bodySchemaOf, type Operation } from "./operations.js";
import type { Violation } from "./violation.js";

/** The source of a rule: a clause of the document, else a decision. */
export interface Citation {
  clause?: string;
  decision?: string;
}

/** A departure from the contract, with its clause or decision. */
export interface CitedViolation extends Omit<Violation, "keyword">, Citation {}

export interface CitedPlace {
  citation: Citation;
  /** The known names, if the contract does not have the one at this place. */
  knownNames?: string[];
}

const UNKNOWN_PARAMETER: Citation = { decision: "D-28" };
const ERROR_SHAPE: Citation = { decision: "D-48" };
const MEDIA_TYPE: Citation = { decision: "D-68" };

/**
 * Cites a place of a request, such as `["query", "limit"]` or `["body", "channels", "email"]`.
 * @param keyword the violated keyword of its schema.
 */
export function findCitation(
  document: OpenApiDocument,
  operation: Operation,
  path: readonly string[],
  keyword?: string,
): CitedPlace {
  const { object, parameters } = operation;
  const [source, ...names] = path;
  if (source === "body") {
    const schema = bodySchemaOf(operation) ?? {};
    return citeSchema(document, schema, { names, keyword }, toCitation(object.requestBody ?? {}));
  }
  const siblings = parameters.filter((parameter) => parameter.in === source);
  const parameter = siblings.find(({ name }) => name === names[0]);
  if (parameter) return { citation: citeKeyword(parameter, keyword) };
  return { citation: UNKNOWN_PARAMETER, knownNames: siblings.map(({ name }) => name) };
}

/** Cites a location of a response, such as `body.data.0._id`, or else the nearest place around it. */
export function citeResponse(
  document: OpenApiDocument,
  operation: Operation | undefined,
  status: number,
  { location, keyword }: { location: string; keyword?: string },
): Citation {
  const [source = "", ...names] = location.split(".");
  if (location === "header.content-type") return MEDIA_TYPE;
  if (!operation) return ERROR_SHAPE;
  const place = operation.object.responses[String(status)];
  const around = toCitation(operation.object);
  if (!place) return around;
  const { headers = {}, content, ...response } = resolve<ResponseObject>(document, place);
  const citation = toCitation(response, around);
  if (source === "body") {
    const schema = content?.["application/json"]?.schema ?? {};
    return citeSchema(document, schema, { names, keyword }, citation).citation;
  }
  const header = Object.entries(headers).find(([name]) => `header.${name.toLowerCase()}` === location)?.[1];
  return header ? toCitation(resolve<HeaderObject>(document, header), citation) : citation;
}

/** Walks from a schema to a member or an item of its value. */
function citeSchema(
  document: OpenApiDocument,
  schema: SchemaObject,
  { names: [name, ...names], keyword }: { names: readonly string[]; keyword: string | undefined },
  around: Citation,
): CitedPlace {
  if (name === undefined) return { citation: citeKeyword(schema, keyword, around) };
  const citation = toCitation(schema, around);
  const target = resolve<SchemaObject>(document, schema);
  const branches = [target, ...(target.allOf ?? []).map((branch) => resolve<SchemaObject>(document, branch))];
  const next = branches.map((branch) => memberOf(branch, name)).find((member) => member !== undefined);
  if (next) return citeSchema(document, next, { names, keyword }, citation);
  const closed = branches.find((branch) => branch["x-decision"] !== undefined); // by its decision
  return {
    citation: toCitation({ "x-decision": closed?.["x-decision"] ?? [] }, citation),
    knownNames: branches.flatMap(({ properties = {} }) => Object.keys(properties)),
  };
}

function memberOf({ properties = {}, items }: SchemaObject, name: string): SchemaObject | undefined {
  if (Object.hasOwn(properties, name)) return properties[name];
  return /^\d+$/.test(name) ? items : undefined;
}

/** The decision that made the keyword narrower than the document, else the citation of the place. */
function citeKeyword(place: Provenance, keyword: string | undefined, around?: Citation): Citation {
  const decision = keyword === undefined ? undefined : place["x-narrowed-by"]?.[keyword];
  return decision === undefined ? toCitation(place, around) : { decision };
}

/** The citation of a place, else that of the place around it. */
function toCitation(place: Provenance, around: Citation = {}): Citation {
  const [clause] = [place["x-source"] ?? []].flat();
  if (clause !== undefined) return { clause };
  const [decision] = [place["x-decision"] ?? []].flat();
  return decision === undefined ? around : { decision };
}
