// The clause or decision behind a place of a response.
import { type Citation, citeKeyword, toCitation } from "./citation.js";
import {
  type HeaderObject,
  type OpenApiDocument,
  type ResponseObject,
  resolve,
  type SchemaObject,
} from "./openapi-document.js";
import type { Operation } from "./operations.js";

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
