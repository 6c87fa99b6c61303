// Creates the model of a normal document, with its operations.
import { citeResponse, findCitation } from "./citation.js";
import { METHODS, type Node, walkNodes } from "./grammar.js";
import { isObject } from "./json.js";
import { mapDefined } from "./lists.js";
import { hasJson } from "./media-type.js";
import type {
  ContractModel,
  DeclaredResponse,
  Example,
  Header,
  MediaType,
  Operation,
  Parameter,
  RequestBody,
  Route,
} from "./model.js";
import { completeOperations, type NormalDocument } from "./normal-document.js";
import type {
  ExampleObject,
  HeaderObject,
  MediaTypeObject,
  OpenApiDocument,
  OperationObject,
  ParameterObject,
  Provenance,
  RequestBodyObject,
  ResponseObject,
  SchemaObject,
} from "./openapi-document.js";
import { createFindPath, findResponse, mainMedia, operationFor } from "./operation.js";
import type { Pointer } from "./pointer.js";
import { checkResponse } from "./response-check.js";
import { createSchemas, type Schema } from "./schema.js";
import type { SchemaChecker } from "./schema-checker.js";
import type { SchemaNode } from "./schema-node.js";
import { credentialsOf } from "./security.js";

export function createModel(normal: NormalDocument, { errorsOf }: Pick<SchemaChecker, "errorsOf">): ContractModel {
  const document = completeOperations(normal.document);
  const { pointerOf } = normal;
  const schemaOf = createSchemas({ document, pointerOf, errorsOf });
  const { operations, headers } = createOperations(document, schemaOf, pointerOf);
  const schemas = Object.entries(document.components.schemas ?? {});
  const findPath = createFindPath(operations);
  const errors = { operations, ...findErrors(operations) };
  const operationOf = ({ method, path }: Route) =>
    operations.find((operation) => operation.method === method && operation.path === path);
  return {
    ...errors,
    document,
    schemas: new Map(schemas.map(([name, node]) => [name, schemaOf(node as SchemaNode)])),
    headers,
    decisions: document["x-decisions"],
    findPath,
    findOperation: (method, path) => operationFor(findPath(path), method),
    schemaOf,
    pointerOf,
    checkResponse: (route, response) => checkResponse(errors, route && operationOf(route), response),
    findCitation(route, path, violation) {
      const operation = operationOf(route);
      return operation ? findCitation(operation, path, violation) : { citation: {} };
    },
    citeResponse: (route, response, violation) => citeResponse(route && operationOf(route), response, violation),
  };
}

/** The schema and the media types of errors: those of the first 401 or 404, then those of other statuses. */
function findErrors(operations: readonly Operation[]): Pick<ContractModel, "errorBody" | "errorTypes"> {
  const usual = operations.flatMap((operation) => [401, 404].map((status) => findResponse(operation, status)));
  const errors = operations.flatMap(({ responses }) => responses.filter(({ status }) => status >= 400));
  const responses = [...usual, ...errors];
  const types = responses.flatMap((response) => response?.content ?? []).filter(({ isJson }) => isJson);
  const media = responses.map(mainMedia).find((one) => one?.isJson && one.schema);
  return {
    errorBody: media?.schema && sharedOf(media.schema),
    errorTypes: [...new Set(types.map(({ type }) => type))],
  };
}

/** The schema that errors of all statuses have in common. */
function sharedOf(schema: Schema): Schema {
  const { $ref, allOf = [] } = (isObject(schema.node) ? schema.node : {}) as { $ref?: string; allOf?: object[] };
  const shared = $ref === undefined ? allOf.find((part) => "$ref" in part) : { $ref };
  return shared ? schema.of(shared) : schema;
}

type SchemaOf = (node: SchemaNode) => Schema;
type PointerOf = (part: object) => Pointer | undefined;

/** The operations and the named headers, in the contract's order. */
function createOperations(document: OpenApiDocument, schemaOf: SchemaOf, pointerOf: PointerOf) {
  const { placed, createHeader, createBody, createResponse, examplesOf } = createParts(schemaOf, pointerOf);
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    mapDefined(METHODS, (method) => {
      const operation = item[method];
      return operation ? createOperation(operation, method, path) : undefined;
    }),
  );
  const headers = Object.entries(document.components.headers ?? {}).map(([name, header]) =>
    createHeader(name, header as HeaderObject, ["components"]),
  );
  return { operations, headers };

  function createOperation(object: OperationObject, method: Operation["method"], path: string): Operation {
    const part = placed(object, ["paths", path, method]);
    const parameters = (object.parameters ?? []) as ParameterObject[];
    const responses = Object.entries(object.responses) as [string, ResponseObject][];
    const keys = responses.map(([key]) => key);
    return {
      ...part,
      id: object.operationId ?? `${method.toUpperCase()} ${path}`,
      method,
      path,
      tag: object.tags?.[0],
      summary: object.summary,
      description: object.description,
      parameters: parameters.map((parameter) => createParameter(parameter, part.pointer)),
      body: object.requestBody && createBody(object.requestBody as RequestBodyObject, part.pointer),
      responses: responses.map(([key, response]) => createResponse(response, { key, keys, around: part.pointer })),
      security: credentialsOf(document, object),
      isDeprecated: object.deprecated === true,
      schemaOf,
    };
  }

  function createParameter(object: ParameterObject, around: Pointer): Parameter {
    const { name, in: where, required = false, content, style = isOfQuery(where) ? "form" : "simple" } = object;
    return {
      ...placed(object, [...around, "parameters"]),
      name,
      in: where,
      isRequired: required,
      mediaType: mediaTypeOf(object),
      description: object.description,
      schema: schemaOf(content ? (Object.values(content)[0]?.schema ?? true) : withoutNull(object.schema ?? true)),
      style: style as Parameter["style"],
      isExploded: object.explode ?? style === "form",
      allowsEmptyValue: object.allowEmptyValue ?? false,
      allowsReserved: object.allowReserved ?? false,
      hasLiteralPlus: object["x-literal-plus"] ?? false,
      isDeprecated: object.deprecated === true,
      examples: examplesOf(object, around).map(({ value }) => value),
    };
  }
}

/** A parameter's text is never null: one that may be null is read as if it might not. */
function withoutNull(node: SchemaNode): SchemaNode {
  if (typeof node === "boolean") return node;
  const { type, enum: values, items } = node as SchemaObject;
  const isNull = (part: SchemaNode) => (part as SchemaObject).type === "null";
  const branchesOf = (name: "anyOf" | "oneOf") => ((node as SchemaObject)[name] ?? []) as SchemaNode[];
  const keyword = (["anyOf", "oneOf"] as const).find((name) => branchesOf(name).some(isNull));
  const changed = {
    ...(Array.isArray(type) && type.includes("null") && { type: type.filter((name) => name !== "null") }),
    ...(values?.includes(null) && { enum: values.filter((value) => value !== null) }),
    ...(keyword && { [keyword]: branchesOf(keyword).filter((part) => !isNull(part)) }),
    ...(items && items !== withoutNull(items as SchemaNode) && { items: withoutNull(items as SchemaNode) }),
  };
  return Object.keys(changed).length > 0 ? { ...node, ...changed } : node;
}

/** Creates the functions that create the parts of operations. */
function createParts(schemaOf: SchemaOf, pointerOf: PointerOf) {
  return { placed, createHeader, createBody, createResponse, examplesOf };

  function placed(part: object, fallback: Pointer) {
    return { pointer: pointerOf(part) ?? fallback, provenance: part as Provenance };
  }

  function createHeader(name: string, object: HeaderObject, around: Pointer): Header {
    const schema = object.schema ?? Object.values(object.content ?? {})[0]?.schema;
    return {
      ...placed(object, [...around, "headers", name]),
      name,
      description: object.description,
      isRequired: object.required ?? false,
      mediaType: mediaTypeOf(object),
      schema: schema === undefined ? undefined : schemaOf(schema),
      isExploded: object.explode ?? false,
      example: examplesOf(object, around)[0]?.value,
    };
  }

  function createBody(object: RequestBodyObject, around: Pointer): RequestBody {
    const part = placed(object, [...around, "requestBody"]);
    return { ...part, isRequired: object.required ?? false, content: createContent(object.content, part.pointer) };
  }

  function createResponse(
    object: ResponseObject,
    { key, keys, around }: { key: string; keys: readonly string[]; around: Pointer },
  ): DeclaredResponse {
    const part = placed(object, [...around, "responses", key]);
    const headers = Object.entries(object.headers ?? {}) as [string, HeaderObject][];
    return {
      ...part,
      key,
      status: statusOf(key, keys),
      description: object.description,
      headers: headers.map(([name, header]) => createHeader(name, header, part.pointer)),
      content: createContent(object.content, part.pointer),
    };
  }

  function createContent(content: Record<string, MediaTypeObject> = {}, around: Pointer): MediaType[] {
    return Object.entries(content).map(([type, media]) => {
      const pointer = [...around, "content", type];
      const schema = media.schema === undefined ? undefined : schemaOf(media.schema);
      return { type, isJson: hasJson(type), schema, examples: examplesOf(media, pointer), pointer };
    });
  }

  function examplesOf(holder: { example?: unknown; examples?: object }, around: Pointer): Example[] {
    const named = Object.entries(holder.examples ?? {}).map(([name, part]): Example => {
      const object = part as ExampleObject;
      const pointer = pointerOf(object) ?? [...around, "examples", name];
      return { name, value: object.value, object, pointer };
    });
    if (named.length > 0 || holder.example === undefined) return named;
    const object = { value: holder.example };
    return [{ name: "example", value: holder.example, object, pointer: [...around, "example"] }];
  }
}

const mediaTypeOf = ({ content = {} }: Pick<ParameterObject, "content">) => Object.keys(content)[0];
const isOfQuery = (where: string) => where === "query" || where === "cookie";

/**
 * A status that a declaration covers. `4XX` becomes 400, or the next one if 400 has a declaration of its own. `default`
 * becomes 200, or an error if there is another success.
 */
function statusOf(key: string, keys: readonly string[]): number {
  const isFree = (status: number) => !keys.includes(String(status));
  if (key !== "default") {
    const first = Number(key.replace(/xx$/i, "00"));
    return /xx$/i.test(key)
      ? (Array.from({ length: 100 }, (_none, index) => first + index).find(isFree) ?? first)
      : first;
  }
  const hasSuccess = keys.some((name) => name.startsWith("2"));
  return [...(hasSuccess ? [] : [200]), 500, 400].find(isFree) ?? 418;
}

/** Yields the parts of a contract, parents first, each once and with its place in the file. */
export function* walkContract({ document, pointerOf }: ContractModel): Generator<Node> {
  for (const node of walkNodes(document)) yield { ...node, pointer: pointerOf(node.value) ?? node.pointer };
}
