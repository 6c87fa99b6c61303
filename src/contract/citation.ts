// Which clause or decision a place of the contract rests on, so that an error can say it: of a location of a request, together with
// the names that are known there, and of a location of a response.
import {
  type HeaderObject,
  type OpenApiDocument,
  type Provenance,
  type ResponseObject,
  resolve,
  type SchemaObject,
} from "./openapi-document.js";
import type { Operation } from "./operations.js";
import type { Violation } from "./violation.js";

/** The reason that an error names: a clause of the document, else a decision. */
export interface Citation {
  clause?: string;
  decision?: string;
}

/** A departure from the contract, with its clause or decision. */
export interface CitedViolation extends Omit<Violation, "keyword">, Citation {}

export interface CitedPlace {
  citation: Citation;
  /** For a name that the contract does not know there: the names it knows. */
  knownNames?: string[];
}

const UNKNOWN_PARAMETER: Citation = { decision: "D-28" };

/**
 * The place of a path such as `["query", "limit"]` or `["body", "channels", "email"]` in an operation's request.
 * @param keyword of the schema, which a value there violates.
 */
export function findCitation(
  document: OpenApiDocument,
  operation: Operation,
  path: readonly string[],
  keyword?: string,
): CitedPlace {
  const [source, ...names] = path;
  if (source === "body") return findInBody(document, operation, names, keyword);
  const siblings = operation.parameters.filter((parameter) => parameter.in === source);
  const parameter = siblings.find(({ name }) => name === names[0]);
  if (parameter) return { citation: citeKeyword(parameter, keyword) };
  return { citation: UNKNOWN_PARAMETER, knownNames: siblings.map(({ name }) => name) };
}

function findInBody(
  document: OpenApiDocument,
  { object }: Operation,
  names: string[],
  keyword: string | undefined,
): CitedPlace {
  let citation = toCitation(object.requestBody ?? {});
  let schema = object.requestBody?.content["application/json"]?.schema;
  for (const name of names) {
    if (!schema) break;
    const parent: SchemaObject = resolve<SchemaObject>(document, schema);
    const members = parent.properties ?? {};
    if (!Object.hasOwn(members, name)) {
      return {
        citation: toCitation({ "x-decision": parent["x-decision"] ?? [] }, citation),
        knownNames: Object.keys(members),
      };
    }
    schema = members[name];
    citation = toCitation(schema ?? {}, citation);
  }
  return { citation: citeKeyword(schema ?? {}, keyword, citation) };
}

/** The decision by which a keyword at a place is narrower than the document, else what the place rests on. */
export function citeKeyword(place: Provenance, keyword: string | undefined, around?: Citation): Citation {
  const decision = keyword === undefined ? undefined : place["x-narrowed-by"]?.[keyword];
  return decision === undefined ? toCitation(place, around) : { decision };
}

/** The clause or decision that a place names itself, else that of what is around it. */
export function toCitation(place: Provenance, around: Citation = {}): Citation {
  const [clause] = [place["x-source"] ?? []].flat();
  if (clause !== undefined) return { clause };
  const [decision] = [place["x-decision"] ?? []].flat();
  return decision === undefined ? around : { decision };
}

const ERROR_SHAPE: Citation = { decision: "D-48" };
const MEDIA_TYPE: Citation = { decision: "D-68" };

/** The citation of a location such as `body.data.0._id`: its own, else that of the nearest place around it. */
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
  const response = resolve<ResponseObject>(document, place);
  const citation = toCitation(response, around);
  if (source === "header") return citeHeader(document, response, names.join("."), citation);
  if (source !== "body") return citation;
  const schema = response.content?.["application/json"]?.schema;
  return schema ? citeSchema(document, schema, { names, keyword }, citation) : citation;
}

function citeHeader(
  document: OpenApiDocument,
  { headers = {} }: ResponseObject,
  lowerCased: string,
  around: Citation,
): Citation {
  const header = Object.entries(headers).find(([name]) => name.toLowerCase() === lowerCased)?.[1];
  return header ? toCitation(resolve<HeaderObject>(document, header), around) : around;
}

function citeSchema(
  document: OpenApiDocument,
  schema: SchemaObject,
  { names: [name, ...rest], keyword }: { names: string[]; keyword: string | undefined },
  around: Citation,
): Citation {
  const target = resolve<SchemaObject>(document, schema);
  const citation = citeKeyword(schema, name === undefined ? keyword : undefined, toCitation(target, around)); // the one beside a $ref is nearer
  if (name === undefined) return citation;
  const branches = [target, ...(target.allOf ?? []).map((branch) => resolve<SchemaObject>(document, branch))];
  const next = branches.map((branch) => memberOf(branch, name)).find((member) => member !== undefined);
  if (next) return citeSchema(document, next, { names: rest, keyword }, citation);
  return branches.reduceRight<Citation>((nearest, branch) => toCitation(branch, nearest), citation);
}

function memberOf({ properties = {}, items }: SchemaObject, name: string): SchemaObject | undefined {
  if (Object.hasOwn(properties, name)) return properties[name];
  return /^\d+$/.test(name) ? items : undefined;
}
