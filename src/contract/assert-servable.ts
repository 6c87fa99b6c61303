// Checks that a contract can be served. Each error names the line to change.
import { type ContractFile, type Pointer, toErrorAt } from "./contract-file.js";
import { toDocument } from "./dialect.js";
import { type OpenApiDocument, type SecurityRequirement, toPointer, valueAt } from "./openapi-document.js";
import { type Operation, toOperations } from "./operations.js";
import { createSchemaChecker, type SchemaChecker } from "./schema-checker.js";

const MAX_DEPTH = 150; // contracts that people write have 30 levels; the libraries take minutes for 800

/**
 * @returns its schemas, compiled.
 * @throws ContractError with file, line and reason.
 */
export async function assertServable(file: ContractFile): Promise<SchemaChecker> {
  assertReferences(file, file.value, []); // first: the next validator does not name the place of a reference
  await assertOpenApi(file);
  const document = toDocument(file.value as OpenApiDocument); // proven by the line above
  assertPathParameters(file, document);
  assertDistinct(file, document);
  assertSecuritySchemes(file, document);
  const schemas = createSchemaChecker({ ...file, value: document });
  schemas.compileAll(findSchemas(document));
  return schemas;
}

async function assertOpenApi(file: ContractFile): Promise<void> {
  const { value } = file;
  if (!String((value as OpenApiDocument).openapi).startsWith("3.1.")) {
    throw toErrorAt(file, ["openapi"], "must be an OpenAPI 3.1 document");
  }
  const { validateOpenApi } = await import("./openapi-validator.gen.js"); // only where there is something to check
  if (validateOpenApi(value)) return;
  // The deepest place is the nearest to the mistake; the others only follow from it.
  const depthOf = ({ instancePath }: { instancePath: string }) => instancePath.split("/").length;
  const [deepest] = (validateOpenApi.errors ?? []).toSorted((a, b) => depthOf(b) - depthOf(a));
  const parent = toPointer(`#${deepest?.instancePath ?? ""}`).filter((part) => part !== "");
  const name: string | undefined = deepest?.params.unevaluatedProperty ?? deepest?.params.additionalProperty;
  const pointer = name === undefined ? parent : [...parent, name];
  const place = pointer.length === 0 ? "the document" : pointer.join(" › ");
  const reason = name === undefined ? deepest?.message : (NAMES[String(parent.at(-1))] ?? "is unknown here");
  throw toErrorAt(file, pointer, `${place} ${reason ?? "is invalid"}`);
}

/** The form of names in these objects. */
const NAMES: Readonly<Record<string, string>> = {
  paths: "must begin with a slash",
  responses: "must be a status: three digits, 4XX and the like, or default",
};

/** Every `$ref` is local and leads somewhere, and no schema consists of itself. */
function assertReferences(file: ContractFile, value: unknown, pointer: Pointer): void {
  if (typeof value !== "object" || value === null) return;
  if (pointer.length > MAX_DEPTH) throw toErrorAt(file, pointer, `is nested deeper than ${MAX_DEPTH} levels`);
  for (const [key, child] of Object.entries(value)) {
    const place = [...pointer, key];
    if (key === "$ref" && typeof child === "string") {
      const target = child.startsWith("#/") ? valueAt(file.value, toPointer(child)) : undefined;
      if (target === undefined) throw toErrorAt(file, place, `$ref ${child} leads nowhere`);
      if (isMadeOf(file.value, target, value)) throw toErrorAt(file, place, `$ref ${child} leads back to itself`);
    } else assertReferences(file, child, place);
  }
}

/** True if a schema contains the part for the same value: through `$ref`, `allOf` and the like, not through members or items. */
function isMadeOf(document: unknown, schema: unknown, part: unknown, visited = new Set<unknown>()): boolean {
  if (schema === part) return true;
  if (typeof schema !== "object" || schema === null || visited.has(schema)) return false;
  visited.add(schema);
  const { $ref, allOf, anyOf, oneOf, not } = schema as Record<string, unknown>;
  const target = typeof $ref === "string" && $ref.startsWith("#/") ? [valueAt(document, toPointer($ref))] : [];
  const branches = [allOf, anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? list : []));
  return [...target, ...branches, not].some((next) => isMadeOf(document, next, part, visited));
}

/** Every path parameter is declared: express-openapi-validator would not check others. */
function assertPathParameters(file: ContractFile, document: OpenApiDocument): void {
  for (const { path, method, parameters } of toOperations(document)) {
    for (const [, name] of path.matchAll(/{([^}]+)}/g)) {
      if (parameters.some((parameter) => parameter.in === "path" && parameter.name === name)) continue;
      throw toErrorAt(file, ["paths", path, method], `path parameter ${name} is not declared`);
    }
  }
}

/** OpenAPI requires distinct operationIds, paths (whatever their parameters are called), and parameters of an operation. */
function assertDistinct(file: ContractFile, document: OpenApiDocument): void {
  const operations = toOperations(document);
  const parametersOf = ({ path, method, parameters }: Operation) =>
    parameters.map(({ in: where, name }, index): Named => {
      const key = where === "header" ? name.toLowerCase() : name;
      return { key: `parameter ${key} in ${where}`, pointer: ["paths", path, method, "parameters", index] };
    });
  const ids = operations.flatMap(({ path, method, object: { operationId } }): Named[] =>
    operationId === undefined
      ? []
      : [{ key: `operationId ${operationId}`, pointer: ["paths", path, method, "operationId"] }],
  );
  const paths = Object.keys(document.paths).map(
    (path): Named => ({ key: `path ${path.replaceAll(/{[^}]*}/g, "{}")}`, pointer: ["paths", path] }),
  );
  for (const list of [ids, paths, ...operations.map(parametersOf)]) {
    const places = new Map<string, Pointer>();
    for (const { key, pointer } of list) {
      const first = places.get(key);
      if (first)
        throw toErrorAt(file, pointer, `the ${key} is declared twice, first in line ${file.placeOf(first).line}`);
      places.set(key, pointer);
    }
  }
}

interface Named {
  key: string;
  pointer: Pointer;
}

function assertSecuritySchemes(file: ContractFile, document: OpenApiDocument): void {
  const ofOperations = toOperations(document).map(({ path, method }): Pointer => ["paths", path, method, "security"]);
  for (const pointer of [["security"], ...ofOperations]) {
    const requirements = (valueAt(document, pointer) ?? []) as SecurityRequirement[];
    for (const [index, requirement] of requirements.entries()) {
      const missing = Object.keys(requirement).find(
        (name) => !Object.hasOwn(document.components?.securitySchemes ?? {}, name),
      );
      if (missing) throw toErrorAt(file, [...pointer, index], `the security scheme ${missing} is not declared`);
    }
  }
}

/** The places of all schemas of requests and responses. */
function findSchemas(document: OpenApiDocument): Pointer[] {
  const { components } = document;
  const pointersIn = (section: "schemas" | "parameters" | "headers" | "responses") =>
    Object.keys(components?.[section] ?? {}).map((name) => ["components", section, name]);
  const ofOperations = toOperations(document).flatMap(({ path, method, object }) => [
    ["paths", path, method, "requestBody"],
    ...Object.keys(object.parameters ?? []).map((index) => ["paths", path, method, "parameters", index]),
    ...Object.keys(object.responses).map((status) => ["paths", path, method, "responses", status]),
  ]);
  const holders = [...pointersIn("parameters"), ...pointersIn("headers"), ...pointersIn("responses"), ...ofOperations];
  const media = holders.flatMap((pointer) => {
    const content = valueAt(document, [...pointer, "content"]);
    return Object.keys(content ?? {}).map((type) => [...pointer, "content", type]);
  });
  const schemas = [...holders, ...media].map((pointer) => [...pointer, "schema"]);
  return [...pointersIn("schemas"), ...schemas].filter((pointer) => valueAt(document, pointer) !== undefined);
}
