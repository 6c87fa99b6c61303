// The query string, read by the contract's parameters. Express's own parsers know neither literal plus signs nor
// empty values, and the simple one breaks `tags[]=a&tags[]=b` (cdimascio/express-openapi-validator#1196).
import type { ParameterObject } from "../contract/openapi-document.js";
import type { Operation } from "../contract/operations.js";
import { RequestError } from "./errors.js";

export interface Query {
  /** Parameters of the contract, still text. A list, and a value that is there more than once, is an array (D-26). */
  values: Record<string, string | string[]>;
  /** Names that the contract does not have. */
  unknown: string[];
}

/** Makes the function that reads the query in a target of an operation. It rejects an invalid percent-encoding (D-50). */
export function createReadQuery({ parameters }: Pick<Operation, "parameters">) {
  const declarations = new Map(parameters.filter((parameter) => parameter.in === "query").map((p) => [p.name, p]));
  return (target: string): Query => {
    const start = target.indexOf("?");
    try {
      return toQuery(start === -1 ? "" : target.slice(start + 1), declarations);
    } catch (error) {
      if (!(error instanceof URIError)) throw error;
      throw new RequestError(
        "undecodable",
        "The query has an invalid percent-encoding. Encode it with encodeURIComponent.",
      );
    }
  };
}

function toQuery(text: string, declarations: ReadonlyMap<string, ParameterObject>): Query {
  const values: Query["values"] = {};
  const unknown = new Set<string>();
  for (const pair of text.split("&")) {
    if (pair === "") continue;
    const end = pair.indexOf("=");
    const name = decode(end === -1 ? pair : pair.slice(0, end), " ");
    const parameter = declarations.get(name);
    const value = decode(end === -1 ? "" : pair.slice(end + 1), parameter?.["x-literal-plus"] ? "+" : " "); // D-67
    if (!parameter) unknown.add(name);
    else if (value !== "" || !parameter.allowEmptyValue) add(values, parameter, value); // D-27
  }
  return { values, unknown: [...unknown] };
}

function add(values: Query["values"], { name, schema }: ParameterObject, value: string): void {
  const before = values[name];
  if (Array.isArray(before)) before.push(value);
  else if (before !== undefined) values[name] = [before, value];
  else values[name] = schema.type === "array" ? [value] : value;
}

function decode(text: string, plus: string): string {
  return decodeURIComponent(text.replaceAll("+", plus));
}
