// Finds the clause or decision behind a place of the contract, for the errors about it. For a request it also finds the
// names that are known there.
import { isObject } from "./json.js";
import { toList } from "./lists.js";
import type { Citation, CitedPlace, Operation, RequestViolation, WireResponse } from "./model.js";
import type { Provenance } from "./openapi-document.js";
import { findResponse, mainMedia } from "./operation.js";
import { mediaOf } from "./response-check.js";
import type { Schema } from "./schema.js";
import type { Violation } from "./violation.js";

/** A departure from the contract, with its clause or decision. */
export interface CitedViolation extends Violation, Citation {}

const UNKNOWN_PARAMETER: Citation = { decision: "D-28" };
const ERROR_SHAPE: Citation = { decision: "D-48" };
const MEDIA_TYPE: Citation = { decision: "D-68" };

/** Cites a place of a request, such as `["query", "limit"]` or `["body", "channels", "email"]`. */
export function findCitation(
  operation: Operation,
  path: readonly string[],
  { code, media = mainMedia(operation.body) }: RequestViolation = {},
): CitedPlace {
  const { body, parameters } = operation;
  const [source, name = "", ...names] = path;
  if (source === "body") return citeSchema(media?.schema, path.slice(1), code, citationOf(body?.provenance ?? {}));
  const siblings = parameters.filter((parameter) => parameter.in === source);
  const parameter = siblings.find((sibling) => sibling.name === name);
  if (!parameter) return { citation: UNKNOWN_PARAMETER, knownNames: siblings.map((sibling) => sibling.name) };
  const citation = citeKeyword(parameter.provenance, code);
  return names.length === 0 ? { citation } : citeSchema(parameter.schema, names, code, citation);
}

/** Cites a location of a response, such as `body.data.0._id`, or else the nearest place around it. */
export function citeResponse(
  operation: Operation | undefined,
  received: Omit<WireResponse, "body">,
  { location, path = location.split("."), code }: Pick<Violation, "location" | "path" | "code">,
): Citation {
  const [source = "", ...names] = path;
  if (code === "mediaType" || location === "header.content-type") return MEDIA_TYPE;
  if (!operation) return ERROR_SHAPE;
  const response = findResponse(operation, received.status);
  const around = citationOf(operation.provenance);
  if (!response) return around;
  const citation = citationOf(response.provenance, around);
  if (source === "body") return citeSchema(mediaOf(response, received)?.schema, names, code, citation).citation;
  const header = response.headers.find(({ name }) => name.toLowerCase() === names[0]);
  return header ? citationOf(header.provenance, citation) : citation;
}

/** Walks from a schema to a member or an item of its value. */
function citeSchema(
  schema: Schema | undefined,
  [name, ...names]: readonly string[],
  code: string | undefined,
  around: Citation,
): CitedPlace {
  const provenance = schema ? provenanceOf(schema) : {};
  if (name === undefined) return { citation: citeKeyword(provenance, code, around) };
  const citation = citationOf(provenance, around);
  const next = schema?.at([name]);
  if (next) return citeSchema(next, names, code, citation);
  const closing = (schema?.target ?? schema)?.flat["x-decision"] ?? []; // the decision that closes the object
  const knownNames = [schema, ...(schema?.alternatives ?? [])].flatMap((part) => [...(part?.members.keys() ?? [])]);
  return { citation: citationOf({ "x-decision": closing }, citation), knownNames: [...new Set(knownNames)] };
}

/** The source of a schema as written: not that of a schema that it refers to, which other places share. */
function provenanceOf({ node, pointer }: Schema): Provenance {
  if (!isObject(node)) return {};
  const [first] = (node.allOf ?? []) as Provenance[];
  return pointer ? node : (first ?? {}); // several schemas of one member were combined
}

/** The decision that made the keyword narrower than the document, else the citation of the place. */
function citeKeyword(place: Provenance, keyword: string | undefined, around?: Citation): Citation {
  const decision = keyword === undefined ? undefined : place["x-narrowed-by"]?.[keyword];
  return decision === undefined ? citationOf(place, around) : { decision };
}

/** The citation of a place, else that of the place around it. */
function citationOf(place: Provenance, around: Citation = {}): Citation {
  const [clause] = toList(place["x-source"] ?? []);
  if (clause !== undefined) return { clause };
  const [decision] = toList(place["x-decision"] ?? []);
  return decision === undefined ? around : { decision };
}
