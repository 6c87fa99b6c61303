// Which clause or decision a place of an answer rests on, so that a report can name it.

import { type Citation, toCitation } from "../contract/citation.js";
import {
  type HeaderObject,
  type OpenApiDocument,
  type ResponseObject,
  resolve,
  type SchemaObject,
} from "../contract/openapi-document.js";
import type { Operation } from "../contract/operations.js";

const ERROR_SHAPE: Citation = { decision: "D-48" };
const MEDIA_TYPE: Citation = { decision: "D-68" };

/** The reason of a location such as `body.data.0._id`: its own, else that of the nearest place around it. */
export function reasonOfAnswer(
  document: OpenApiDocument,
  operation: Operation | undefined,
  status: number,
  location: string,
): Citation {
  const [source = "", ...names] = location.split(".");
  if (location === "header.content-type") return MEDIA_TYPE;
  if (!operation) return ERROR_SHAPE;
  const place = operation.object.responses[String(status)];
  const around = toCitation(operation.object);
  if (!place) return around;
  const response = resolve<ResponseObject>(document, place);
  const reason = toCitation(response, around);
  if (source === "header") return reasonOfHeader(document, response, names.join("."), reason);
  if (source !== "body") return reason;
  const schema = response.content?.["application/json"]?.schema;
  return schema ? reasonInSchema(document, schema, names, reason) : reason;
}

function reasonOfHeader(
  document: OpenApiDocument,
  { headers = {} }: ResponseObject,
  lowerCased: string,
  around: Citation,
): Citation {
  const header = Object.entries(headers).find(([name]) => name.toLowerCase() === lowerCased)?.[1];
  return header ? toCitation(resolve<HeaderObject>(document, header), around) : around;
}

function reasonInSchema(document: OpenApiDocument, schema: SchemaObject, names: string[], around: Citation): Citation {
  const target = resolve<SchemaObject>(document, schema);
  const reason = toCitation(schema, toCitation(target, around)); // beside a $ref stands the nearer one
  const [name, ...rest] = names;
  if (name === undefined) return reason;
  const branches = [target, ...(target.allOf ?? []).map((branch) => resolve<SchemaObject>(document, branch))];
  const next = branches.map((branch) => memberOf(branch, name)).find((member) => member !== undefined);
  if (next) return reasonInSchema(document, next, rest, reason);
  return branches.reduceRight<Citation>((nearest, branch) => toCitation(branch, nearest), reason);
}

function memberOf({ properties = {}, items }: SchemaObject, name: string): SchemaObject | undefined {
  if (Object.hasOwn(properties, name)) return properties[name];
  return /^\d+$/.test(name) ? items : undefined;
}
