// What a contract needs in order to be served. Each error names the line to change. OpenAPI leaves some forms open: of this
// project's extensions, and of what HTTP can carry.
import { setImmediate as nextTurn } from "node:timers/promises";
import type { ContractFile } from "./contract-file.js";
import { createModel } from "./create-model.js";
import { childrenOf, type Kind, walkNodes } from "./grammar.js";
import { isObject, lookUp } from "./json.js";
import { essenceOf } from "./media-type.js";
import type { ContractModel, MediaType, Operation, Parameter } from "./model.js";
import { FRAMING_HEADERS, type NormalDocument } from "./normal-document.js";
import { errorAt, type OpenApiDocument, type SecurityRequirement } from "./openapi-document.js";
import { isSingle } from "./parameter-reader.js";
import { writeSimple } from "./parameter-writer.js";
import { type Pointer, parseReference, valueAt } from "./pointer.js";
import type { Schema } from "./schema.js";
import { createSchemaChecker, type PlacedSchema, type SchemaChecker } from "./schema-checker.js";
import type { SchemaNode } from "./schema-node.js";
import { describeDeepest, describeError } from "./violation.js";

/**
 * @returns its model, with every schema compiled.
 * @throws ContractError with file, line and reason.
 */
export async function assertServable(
  file: ContractFile,
  normal: NormalDocument,
  checker: SchemaChecker,
): Promise<ContractModel> {
  await assertOpenApi(file);
  assertExtensions(file);
  assertFiniteSchemas(file, normal);
  const model = createModel(normal, checker);
  assertPathParameters(file, model);
  assertDistinct(file, model);
  assertSecuritySchemes(file, model);
  assertSendable(file, model);
  const schemas = [...rootSchemas(normal)];
  for (const schema of schemas) {
    checker.assertWellFormed(schema, file);
    await nextTurn(); // a watching server responds to requests
  }
  for (const schema of schemas) {
    checker.assertCompilable(schema, schemas, file);
    await nextTurn();
  }
  return model;
}

async function assertOpenApi(file: ContractFile): Promise<void> {
  const { value } = file;
  if (!String((value as OpenApiDocument).openapi).startsWith("3.1.")) {
    throw errorAt(file, ["openapi"], "must be an OpenAPI 3.1 document");
  }
  const { validateOpenApi } = await import("./openapi-validator.gen.js"); // only where there is something to check
  if (validateOpenApi(value)) return;
  const { code, message, path = [] } = describeDeepest(validateOpenApi.errors ?? []);
  const isUnknown = code === "unevaluatedProperties" || code === "additionalProperties";
  const place = path.length === 0 ? "the document" : path.join(" › ");
  throw errorAt(file, path, `${place} ${isUnknown ? (NAMES[path.at(-2) ?? ""] ?? "is unknown here") : message}`);
}

/** The form of names in these objects. */
const NAMES: Readonly<Record<string, string>> = {
  paths: "must begin with a slash",
  responses: "must be a status: three digits, 4XX and the like, or default",
};

/** No schema consists of itself, or of more than the tools can combine. */
function assertFiniteSchemas(file: ContractFile, { document, pointerOf }: NormalDocument): void {
  const sizes = new Map<object, number>();
  const around = new Set<object>();
  for (const { kind, value } of walkNodes(document)) if (kind === "schema") sizeOf(value, 0);

  /** How many schemas apply to one value: through `$ref`, `allOf` and the like, not through members or items. */
  function sizeOf(schema: unknown, references: number): number {
    if (!isObject(schema)) return 0;
    const fail = (reason: string) => errorAt(file, [...(pointerOf(schema) ?? []), "$ref"], reason);
    if (references > MAX_CHAIN) throw fail(`leads through more than ${MAX_CHAIN} references`);
    const known = sizes.get(schema);
    if (known !== undefined) return known;
    around.add(schema);
    const { $ref, allOf, anyOf, oneOf, not } = schema;
    const target = typeof $ref === "string" ? valueAt(document, parseReference($ref)) : undefined;
    if (isObject(target) && around.has(target)) throw fail(`$ref ${$ref} leads back to itself`);
    const parts = [not, ...[allOf, anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? list : []))];
    const partsSize = parts.reduce<number>((sum, part) => sum + sizeOf(part, references), 1);
    const size = partsSize + sizeOf(target, references + 1);
    if (size > MAX_COMBINED) throw fail(`combines more than ${MAX_COMBINED} schemas for one value`);
    around.delete(schema);
    sizes.set(schema, size);
    return size;
  }
}

const MAX_CHAIN = 100;
const MAX_COMBINED = 2000;

/** Every path parameter is declared: express-openapi-validator would not check others. */
function assertPathParameters(file: ContractFile, { operations }: ContractModel): void {
  for (const { path, pointer, parameters } of operations) {
    for (const [, name] of path.matchAll(/{([^}]+)}/g)) {
      if (parameters.some((parameter) => parameter.in === "path" && parameter.name === name)) continue;
      throw errorAt(file, pointer, `path parameter ${name} is not declared`);
    }
  }
}

/**
 * OpenAPI requires distinct operationIds, paths (whatever their parameters are called) and parameters. Media types that
 * differ in their parameters alone would be read as one.
 */
function assertDistinct(file: ContractFile, { document, operations }: ContractModel): void {
  const parametersOf = ({ parameters }: Operation) =>
    parameters.map(({ in: where, name, pointer }): Named => {
      const key = where === "header" ? name.toLowerCase() : name;
      return { key: `parameter ${key} in ${where}`, pointer };
    });
  const mediaOf = ({ content }: { content: readonly MediaType[] }) =>
    content.map(({ type, pointer }): Named => ({ key: `media type ${essenceOf(type)} (without parameters)`, pointer }));
  const bodies = operations.flatMap(({ body, responses }) => [...(body ? [body] : []), ...responses]);
  const ids = operations
    .filter(({ provenance }) => "operationId" in provenance)
    .map(({ id, pointer }): Named => ({ key: `operationId ${id}`, pointer: [...pointer, "operationId"] }));
  const paths = Object.keys(document.paths).map(
    (path): Named => ({ key: `path ${path.replaceAll(/{[^}]*}/g, "{}")}`, pointer: ["paths", path] }),
  );
  for (const list of [ids, paths, ...operations.map(parametersOf), ...bodies.map(mediaOf)]) {
    const places = new Map<string, Pointer>();
    for (const { key, pointer } of list) {
      const first = places.get(key);
      if (first) throw errorAt(file, pointer, `the ${key} is declared twice, first in line ${file.lineOf(first)}`);
      places.set(key, pointer);
    }
  }
}

interface Named {
  key: string;
  pointer: Pointer;
}

function assertSecuritySchemes(file: ContractFile, { document, operations }: ContractModel): void {
  const schemes = document.components.securitySchemes ?? {};
  for (const pointer of [[], ...operations.map((operation) => operation.pointer)]) {
    const requirements = (valueAt(document, [...pointer, "security"]) ?? []) as SecurityRequirement[];
    for (const [index, requirement] of requirements.entries()) {
      const missing = Object.keys(requirement).find((name) => !Object.hasOwn(schemes, name));
      if (missing === undefined) continue;
      throw errorAt(file, [...pointer, "security", index], `the security scheme ${missing} is not declared`);
    }
  }
}

/** The schemas that stand in no other schema, with their places in the file. */
function* rootSchemas({ document, pointerOf }: NormalDocument): Generator<PlacedSchema> {
  const visited = new Set<unknown>();
  yield* within(document as unknown as Record<string, unknown>, "document", []);

  function* within(part: Record<string, unknown>, kind: Kind, around: Pointer): Generator<PlacedSchema> {
    for (const child of childrenOf(kind, part)) {
      const pointer = (isObject(child.value) && pointerOf(child.value)) || [...around, ...child.path];
      if (visited.has(child.value)) continue;
      if (isObject(child.value)) visited.add(child.value);
      if (child.kind === "schema") yield { schema: child.value as SchemaNode, pointer };
      else if (isObject(child.value)) yield* within(child.value, child.kind, pointer);
    }
  }
}

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/; // RFC 9110 §5.6.2
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/; // §5.5

const TEXT = { type: "string" };
const TEXTS = { type: ["string", "array"], items: TEXT };
const mapOf = (value: object) => ({ type: "object", additionalProperties: value });

const REQUEST = {
  type: "object",
  properties: {
    operation: TEXT,
    method: TEXT,
    path: mapOf(TEXT),
    query: { type: "object" },
    headers: mapOf({ type: ["string", "null"] }),
    rawBody: TEXT,
    bodyBytes: { type: "integer" },
  },
};

/** The forms of extensions, wherever they stand. */
const EXTENSIONS: Readonly<Record<string, object>> = {
  "x-source": TEXTS,
  "x-decision": TEXTS,
  "x-decisions": mapOf(mapOf(TEXTS)),
  "x-narrowed-by": mapOf(TEXT),
  "x-literal-plus": { type: "boolean" },
  "x-headers": {
    ...mapOf({ type: ["string", "number"], pattern: FIELD_VALUE.source }),
    propertyNames: { pattern: TOKEN.source },
  },
  "x-request": REQUEST,
  "x-given": { type: "object", properties: { requests: { type: "array", items: REQUEST }, condition: TEXT } },
};

/** @throws ContractError */
function assertExtensions(file: ContractFile): void {
  const { errorsOf } = createSchemaChecker({});
  for (const { pointer, value } of walkNodes(file.value)) {
    for (const [name, held] of Object.entries(value)) {
      const form = lookUp(EXTENSIONS, name);
      const [error] = form ? errorsOf(form, held) : [];
      if (!error) continue;
      const { path = [], message } = describeError(error, [name]);
      throw errorAt(file, [...pointer, ...path], `${path.join(" › ")} ${message}`);
    }
  }
}

/** Checks that HTTP can carry what the operations declare. @throws ContractError */
function assertSendable(file: ContractFile, { operations }: ContractModel): void {
  for (const operation of operations) {
    const { parameters, body, responses, pointer } = operation;
    for (const parameter of parameters) assertStyle(file, parameter);
    if (responses.every(({ key }) => key.startsWith("1")))
      throw errorAt(file, [...pointer, "responses"], "responses has interim ones (1xx) alone. Add a final one");
    for (const { type, pointer } of [body, ...responses].flatMap((part) => part?.content ?? []))
      if (!FIELD_VALUE.test(type)) throw errorAt(file, pointer, `${JSON.stringify(type)} is not a media type`);
    for (const { name, in: where, isRequired, ...field } of fieldsOf(operation)) {
      const fail = (reason: string) => errorAt(file, field.pointer, `the ${where} ${JSON.stringify(name)} ${reason}`);
      if (!TOKEN.test(name)) throw fail("has a character that HTTP does not allow in a name");
      if (isRequired && where === "header" && FRAMING_HEADERS.has(name.toLowerCase()))
        throw fail("belongs to the connection, so a client cannot be required to send it");
      const unsendable = [...field.examples, ...constantsOf(field.schema)].find(
        (value) => !FIELD_VALUE.test(writeSimple(value)),
      );
      if (unsendable !== undefined)
        throw fail(`has a value that HTTP cannot carry in a header: ${JSON.stringify(unsendable)}`);
    }
  }
}

function assertStyle(file: ContractFile, { name, in: where, style, schema, mediaType, pointer }: Parameter): void {
  if (!["simple", "form", "deepObject"].includes(style))
    throw errorAt(file, [...pointer, "style"], `style ${style} is not supported. Use simple, form or deepObject`);
  if (where === "cookie" && mediaType === undefined && !isSingle(schema))
    throw errorAt(file, pointer, `the cookie ${JSON.stringify(name)} is a list or an object. A cookie has one value`);
}

interface Field {
  name: string;
  in: "header" | "cookie" | "response header";
  isRequired: boolean;
  schema: Schema | undefined;
  examples: readonly unknown[];
  pointer: Pointer;
}

function fieldsOf({ parameters, responses }: Operation): Field[] {
  const sent = parameters.filter((field): field is typeof field & { in: "header" | "cookie" } =>
    ["header", "cookie"].includes(field.in),
  );
  const headers = responses.flatMap((response) => response.headers);
  return [
    ...sent,
    ...headers.map((header) => ({ ...header, in: "response header" as const, examples: [header.example ?? ""] })),
  ];
}

function constantsOf(schema: Schema | undefined): unknown[] {
  const { const: constant = "", enum: values = [], example = "", examples = [] } = schema?.flat ?? {};
  return [constant, example, ...values, ...examples];
}
