// Where a location of a request stands in the contract: which clause or decision it rests on, and which names are known
// there, so that an error can say both.
import { type OpenApiDocument, type Provenance, resolve, type SchemaObject } from "./openapi-document.js";
import type { Operation } from "./operations.js";

/** What an error names as its reason: a clause of the document, else a decision. */
export interface Citation {
  clause?: string;
  decision?: string;
}

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
