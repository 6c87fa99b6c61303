// Violations of a schema, with messages of our own.
import type { ErrorObject, ValidateFunction } from "ajv";

export interface Violation {
  /** Dotted: `query.limit`, `header.authorization`, `body.data.0._id`; or `status`, `path`, `method`, `connection`. */
  location: string;
  message: string;
  /** The keyword of the violated schema. */
  keyword?: string;
  /** Set for a header that the contract does not declare. */
  code?: "undeclared-header";
}

/** Lists the violations that a validator finds in a value. `root` names the value in the locations. */
export function toViolations(validate: ValidateFunction, value: unknown, root: string): Violation[] {
  if (validate(value)) return [];
  return (validate.errors ?? []).map((error) => ({
    location: toLocation(error, root),
    message: toMessage(error),
    keyword: error.keyword,
  }));
}

function toLocation({ instancePath, params }: ErrorObject, root: string): string {
  const parts = instancePath.split("/").slice(1);
  const member = params.missingProperty ?? params.additionalProperty;
  return [
    root,
    ...parts.map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~")),
    ...(member ? [member] : []),
  ].join(".");
}

function toMessage({ keyword, message = "is invalid", params }: ErrorObject): string {
  if (keyword === "required") return "is missing";
  if (keyword === "additionalProperties") return "is not a known member";
  if (keyword === "enum") return `${message}: ${params.allowedValues.join(", ")}`;
  if (keyword === "const") return `${message}: ${params.allowedValue}`;
  return message;
}
