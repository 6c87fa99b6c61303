// The parts of an OpenAPI 3.1 document that this project reads, and the errors of its author.
import type { Pointer } from "./pointer.js";

/** The source of a place of the contract. */
export interface Provenance {
  "x-source"?: string | string[];
  "x-decision"?: string | string[];
  /** The decisions for keywords that are narrower than the document. */
  "x-narrowed-by"?: Record<string, string>;
}

export interface Reference {
  $ref: string;
}

export interface SchemaObject extends Provenance {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  examples?: unknown[];
  allOf?: SchemaObject[];
  properties?: Record<string, SchemaObject>;
  required?: string[];
  dependentRequired?: Record<string, string[]>;
  minProperties?: number;
  maxProperties?: number;
  items?: SchemaObject;
  contains?: SchemaObject;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  multipleOf?: number;
  minLength?: number | undefined;
  maxLength?: number | undefined;
  pattern?: string | undefined;
  format?: string;
  [keyword: string]: unknown;
}

export interface ParameterObject extends HeaderObject {
  name: string;
  in: "path" | "query" | "header" | "cookie";
  style?: string;
  allowEmptyValue?: boolean;
  allowReserved?: boolean;
  deprecated?: boolean;
  /** A `+` in the query is a plus sign, not a space (D-67). */
  "x-literal-plus"?: boolean;
}

export interface HeaderObject extends Provenance {
  required?: boolean;
  explode?: boolean;
  description?: string;
  content?: Record<string, MediaTypeObject>;
  schema: SchemaObject;
  example?: unknown;
}

/** The request that leads to an example's response, on the demo seed with the clock at its `asOf`. */
export interface ExampleRequest {
  operation?: string;
  method?: string;
  path?: Record<string, string>;
  query?: Record<string, unknown>;
  /** `null` omits a header that is sent by default. */
  headers?: Record<string, string | null>;
  body?: unknown;
  rawBody?: string;
  /** Pads the body with spaces to this length. */
  bodyBytes?: number;
}

/** The state that an example needs besides its request. */
export interface ExampleSetting {
  /** Sent before it, to the same operation; a slow disk keeps them in progress. */
  requests?: ExampleRequest[];
  /** `rateLimit`: the limit is used up; the reference server has none. */
  condition?: "slowDisk" | "fault" | "rateLimit";
}

export interface ExampleObject {
  summary?: string;
  value: unknown;
  "x-request"?: ExampleRequest;
  "x-given"?: ExampleSetting;
  /** Further headers, which the contract does not require. */
  "x-headers"?: Record<string, string | number>;
}

export interface MediaTypeObject {
  schema: SchemaObject;
  example?: unknown;
  examples?: Record<string, ExampleObject | Reference>;
}

export interface ResponseObject extends Provenance {
  description: string;
  headers?: Record<string, HeaderObject | Reference>;
  content?: Record<string, MediaTypeObject>;
}

export interface RequestBodyObject extends Provenance {
  required?: boolean;
  content: Record<string, MediaTypeObject>;
}

export interface OperationObject extends Provenance {
  operationId: string;
  tags?: string[];
  summary?: string;
  description?: string;
  parameters?: (ParameterObject | Reference)[];
  requestBody?: RequestBodyObject;
  responses: Record<string, ResponseObject | Reference>;
  security?: SecurityRequirement[];
  deprecated?: boolean;
}

/** Operations by method. Loading the document copies the item's own parameters to each. */
export type PathItemObject = Record<string, OperationObject>;

/** Names of security schemes that are needed together, each with its scopes. */
export type SecurityRequirement = Record<string, string[]>;

export interface Decision {
  question: string;
  clause: string | string[];
  answer: string;
  basis: "document" | "service" | "standard" | "judgement";
  /** An event after which the answer may change. */
  revisit?: string;
}

export interface OpenApiDocument {
  openapi: string;
  info: { title: string; version: string; description?: string };
  servers?: { url: string; variables?: Record<string, { default: string; enum?: string[] }> }[];
  security?: SecurityRequirement[];
  tags?: { name: string }[];
  paths: Record<string, PathItemObject>;
  components: {
    schemas: Record<string, SchemaObject>;
    parameters: Record<string, ParameterObject>;
    headers: Record<string, HeaderObject>;
    responses: Record<string, ResponseObject>;
    examples?: Record<string, ExampleObject>;
    securitySchemes?: Record<string, object>;
  };
  "x-decisions": Record<string, Decision>;
}

/** A contract that cannot be served. The message names the file, the line if there is one, and the reason. */
export class ContractError extends Error {
  constructor(path: string, line: number | undefined, reason: string) {
    super(line === undefined ? `${path} ${reason}` : `${path}:${line}: ${reason}`);
    this.name = "ContractError";
  }
}

/** What an error needs of a contract's file. */
export interface FileLines {
  path: string;
  lineOf(pointer: Pointer): number;
}

/** An error at a place of a contract. */
export function errorAt({ path, lineOf }: FileLines, pointer: Pointer, reason: string): ContractError {
  return new ContractError(path, lineOf(pointer), reason);
}
