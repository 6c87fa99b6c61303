// The contract as a model: what every part of this project reads instead of the document. References are followed,
// parts of a path belong to its operations, and each part knows its place in the file.

import type { METHODS } from "./grammar.js";
import type { Decision, ExampleObject, OpenApiDocument, Provenance } from "./openapi-document.js";
import type { Pointer } from "./pointer.js";
import type { Schema } from "./schema.js";
import type { SchemaNode } from "./schema-node.js";
import type { Credentials } from "./security.js";
import type { Violation } from "./violation.js";

export type { Decision, ExampleObject, ExampleRequest, ExampleSetting, Provenance } from "./openapi-document.js";

/** A contract, whether it comes from a file or from the build. */
export interface ContractModel {
  document: OpenApiDocument;
  operations: readonly Operation[];
  /** The components, in the contract's order. */
  schemas: ReadonlyMap<string, Schema>;
  headers: readonly Header[];
  /** By id; empty if the contract has none. */
  decisions: Readonly<Record<string, Decision>>;
  /** The schema of errors; undefined if the contract has none. */
  errorBody: Schema | undefined;
  /** The media types of errors in JSON, that of `errorBody` first. */
  errorTypes: readonly string[];
  /** What stands at the path of a request. */
  findPath: FindPath;
  findOperation(method: string, path: string): Operation | undefined;
  /** The schema of a part of the document, or of one that refers to its parts. */
  schemaOf(node: SchemaNode): Schema;
  /** The place in the file of a part of the document. */
  pointerOf(part: object): Pointer | undefined;
  /** `operation` is undefined for a path that the contract does not have. */
  checkResponse(operation: Route | undefined, response: WireResponse): Violation[];
  /** Cites a place of a request, such as `["query", "limit"]`. */
  findCitation(operation: Route, path: readonly string[], violation?: RequestViolation): CitedPlace;
  /** Cites the place of a violation in a response. */
  citeResponse(operation: Route | undefined, response: Omit<WireResponse, "body">, violation: Violation): Citation;
}

/** The source of a rule: a clause of the document, else a decision. */
export interface Citation {
  clause?: string;
  decision?: string;
}

export interface CitedPlace {
  citation: Citation;
  /** The known names, if the contract does not have the one at this place. */
  knownNames?: string[];
}

/** What is known about a violation in a request. */
export interface RequestViolation {
  /** The violated keyword of the schema. */
  code?: string | undefined;
  /** The form of the body; the usual one if none is given. */
  media?: MediaType | undefined;
}

/** A response as received, its body parsed. */
export interface WireResponse {
  status: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string | number | readonly string[] | undefined>>;
  /** undefined when the response has no body. */
  body: unknown;
  /** True if the body has conformed in an earlier response of this kind, so that it is not checked again. */
  isKnownBody?: boolean;
}

/** Identifies an operation, also in another version of the contract. */
export type Route = Pick<Operation, "method" | "path">;

/** What a contract has at a path. */
export interface PathMatch<Kind extends Route = Operation> {
  /** One for each method. */
  operations: readonly Kind[];
  /** The values of the path's parameters, percent-encoded as sent. */
  parameters: Readonly<Record<string, string>>;
}

export type FindPath<Kind extends Route = Operation> = (path: string) => PathMatch<Kind> | undefined;

/** A part of the contract with its source and its place. */
interface Part {
  /** `x-source`, `x-decision` and `x-narrowed-by`. */
  provenance: Provenance;
  /** Where it stands, behind references. */
  pointer: Pointer;
}

export interface Operation extends Part {
  /** The operationId, or method and path if the contract has none. */
  id: string;
  method: (typeof METHODS)[number];
  /** As in the contract: `/v2/subscribers/{subscriberId}/preferences`. */
  path: string;
  /** The first one: its group in the docs. */
  tag: string | undefined;
  summary: string | undefined;
  description: string | undefined;
  parameters: readonly Parameter[];
  /** Undefined if the operation has none. */
  body: RequestBody | undefined;
  /** In the contract's order. */
  responses: readonly DeclaredResponse[];
  /** Alternatives: each lists the places of the keys that it needs. */
  security: readonly Credentials[];
  isDeprecated: boolean;
  /** A schema of the contract, which may refer to its parts. */
  schemaOf(node: SchemaNode): Schema;
}

export interface Parameter extends Part {
  name: string;
  in: "path" | "query" | "header" | "cookie";
  isRequired: boolean;
  schema: Schema;
  /** Set if its text is a value of this type, as in `content: { application/json: … }`. */
  mediaType: string | undefined;
  style: "form" | "simple" | "deepObject";
  isExploded: boolean;
  /** `?name=` counts as absent (D-27). */
  allowsEmptyValue: boolean;
  /** Reserved characters are sent as they are: `?q=a/b`. */
  allowsReserved: boolean;
  /** A `+` in the query is a plus sign, not a space (D-67). */
  hasLiteralPlus: boolean;
  isDeprecated: boolean;
  description: string | undefined;
  /** The values of its examples. */
  examples: readonly unknown[];
}

export interface RequestBody extends Part {
  isRequired: boolean;
  content: readonly MediaType[];
}

/** One form of a body. */
export interface MediaType {
  /** As in the contract: `application/json`, or a range such as `text/*`. */
  type: string;
  isJson: boolean;
  /** Undefined if the contract says nothing about the values. */
  schema: Schema | undefined;
  examples: readonly Example[];
  pointer: Pointer;
}

export interface Example {
  /** `example` for one without a name. */
  name: string;
  value: unknown;
  object: ExampleObject;
  pointer: Pointer;
}

export interface DeclaredResponse extends Part {
  /** `200`, `4XX` or `default`. */
  key: string;
  /** A status that it covers: 400 for `4XX`. */
  status: number;
  description: string;
  headers: readonly Header[];
  /** Empty if the response has no body. */
  content: readonly MediaType[];
}

export interface Header extends Part {
  name: string;
  description: string | undefined;
  isRequired: boolean;
  schema: Schema | undefined;
  mediaType: string | undefined;
  isExploded: boolean;
  /** The value of its first example. */
  example: unknown;
}
