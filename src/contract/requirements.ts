// Checks that a contract can be served. Each error names the line to change.
import { setImmediate as nextTurn } from "node:timers/promises";
import { assertExtensions, assertSendable } from "./assert-forms.js";
import { errorAt } from "./contract-error.js";
import type { ContractFile } from "./contract-file.js";
import type { SchemaNode } from "./copy-schema.js";
import { createModel } from "./create-model.js";
import { childrenOf, type Kind, walkNodes } from "./grammar.js";
import { isObject } from "./json.js";
import { essenceOf } from "./media-type.js";
import type { ContractModel, MediaType, Operation } from "./model.js";
import type { NormalDocument } from "./normal-document.js";
import type { OpenApiDocument, SecurityRequirement } from "./openapi-document.js";
import { type Pointer, parseReference, valueAt } from "./pointer.js";
import type { PlacedSchema, SchemaChecker } from "./schema-checker.js";
import { describeDeepest } from "./violation.js";

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
    const own = parts.reduce<number>((sum, part) => sum + sizeOf(part, references), 1);
    const size = own + sizeOf(target, references + 1);
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
