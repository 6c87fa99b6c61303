// The contract: loaded, checked and compiled once.
import type { Validator } from "@seriousme/openapi-schema-validator";
import { type CitedPlace, findCitation } from "./citation.js";
import {
  CONTRACT_PATH,
  ContractError,
  type ContractFile,
  type ContractText,
  loadContractText,
  type Pointer,
  toContractFile,
} from "./contract-file.js";
import { type OpenApiDocument, toPointer, valueAt } from "./openapi-document.js";
import { type Operation, toOperations } from "./operations.js";
import { readPrechecked } from "./prechecked.js";
import { checkResponse, type WireResponse } from "./response-check.js";
import { createSchemaChecker, type SchemaChecker, type Violation } from "./schema-checker.js";

export interface Contract {
  file: ContractFile;
  document: OpenApiDocument;
  operations: readonly Operation[];
  schemas: SchemaChecker;
  /** The violations of a response; `operation` is undefined for a path that the contract does not have. */
  checkResponse(operation: Operation | undefined, response: WireResponse): Violation[];
  /** Where a path such as `["query", "limit"]` of a request stands: its clause or decision, and the names known there. */
  findCitation(operation: Operation, path: readonly string[], keyword?: string): CitedPlace;
}

/**
 * Loads a contract and proves that it can be served: it is YAML, a valid OpenAPI 3.1 document, every reference leads
 * somewhere, and every schema compiles. (express-openapi-validator alone would respond with 500 to every request.) A text that the
 * build has proven is not proven again, and servers of one process share the contract of the text that was loaded last.
 * @throws ContractError with file, line and reason.
 */
export async function loadContract(path: string = CONTRACT_PATH): Promise<Contract> {
  const text = loadContractText(path);
  if (latest?.file.digest !== text.digest || latest.file.path !== path) latest = await toContract(text);
  return latest;
}

let latest: Contract | undefined;

/** As `loadContract`, of a text that is no file. */
export async function toContract(text: ContractText): Promise<Contract> {
  const value = readPrechecked(text.digest);
  const file = toContractFile(text, value);
  if (typeof file.value !== "object" || file.value === null) {
    throw new ContractError(text.path, 1, "is not an OpenAPI document"); // an empty file, as an editor may leave for a moment
  }
  const schemas = createSchemaChecker(file);
  if (value === undefined) await assertServable(file, schemas);
  return createContract(file, toDocument(file.value as OpenApiDocument), schemas); // proven above, or by the build
}

/** The contract of a document that is known to be valid. */
export function createContract(
  file: ContractFile,
  document: OpenApiDocument,
  schemas: SchemaChecker = createSchemaChecker(file),
): Contract {
  return {
    file,
    document,
    operations: toOperations(document),
    schemas,
    checkResponse: (operation, response) => checkResponse(document, schemas, operation, response),
    findCitation: (operation, path, keyword) => findCitation(document, operation, path, keyword),
  };
}

/** Sections that a contract may leave out are empty, so that no reader has to ask. */
export function toDocument(document: OpenApiDocument): OpenApiDocument {
  const sections: Partial<OpenApiDocument["components"]> = document.components ?? {};
  const components = { schemas: {}, parameters: {}, headers: {}, responses: {}, ...sections };
  return { ...document, components, "x-decisions": document["x-decisions"] ?? {} };
}

async function assertServable(file: ContractFile, schemas: SchemaChecker): Promise<void> {
  assertReferences(file, file.value, []); // first: the validator below does not say where a reference stands
  await assertOpenApi(file);
  const document = file.value as OpenApiDocument; // proven by the line above
  assertPathParameters(file, toOperations(document));
  for (const pointer of findSchemas(document)) schemas.compile(pointer);
}

let validator: Validator | undefined; // it compiles OpenAPI's own schema once, which takes longer than a check

async function assertOpenApi(file: ContractFile): Promise<void> {
  const { value } = file;
  if (!String((value as OpenApiDocument).openapi).startsWith("3.1.")) {
    throw new ContractError(file.path, file.lineOf(["openapi"]), "must be an OpenAPI 3.1 document");
  }
  const library = await import("@seriousme/openapi-schema-validator"); // only where there is something to check
  validator ??= new library.Validator();
  const result = await validator.validate(structuredClone(value) as Record<string, unknown>);
  if (result.valid) return;
  // The deepest place is the nearest to the mistake; the others only follow from it.
  const errors = Array.isArray(result.errors) ? result.errors : [{ instancePath: "", message: String(result.errors) }];
  const [deepest] = errors.toSorted((a, b) => b.instancePath.split("/").length - a.instancePath.split("/").length);
  const pointer = toPointer(`#${deepest?.instancePath ?? ""}`).filter((part) => part !== "");
  const place = pointer.length === 0 ? "the document" : pointer.join(" › ");
  throw new ContractError(file.path, file.lineOf(pointer), `${place} ${deepest?.message ?? "is invalid"}`);
}

/** Walks the whole document: every `$ref` is local and leads somewhere. */
function assertReferences(file: ContractFile, value: unknown, pointer: Pointer): void {
  if (typeof value !== "object" || value === null) return;
  for (const [key, child] of Object.entries(value)) {
    const place = [...pointer, key];
    if (key === "$ref" && typeof child === "string") {
      if (child.startsWith("#/") && valueAt(file.value, toPointer(child)) !== undefined) continue;
      throw new ContractError(file.path, file.lineOf(place), `$ref ${child} leads nowhere`);
    }
    assertReferences(file, child, place);
  }
}

/** Each parameter of a path template is declared: express-openapi-validator would let it pass unchecked. */
function assertPathParameters(file: ContractFile, operations: readonly Operation[]): void {
  for (const { path, method, parameters } of operations) {
    for (const [, name] of path.matchAll(/{([^}]+)}/g)) {
      if (parameters.some((parameter) => parameter.in === "path" && parameter.name === name)) continue;
      throw new ContractError(
        file.path,
        file.lineOf(["paths", path, method]),
        `path parameter ${name} is not declared`,
      );
    }
  }
}

/** The places of all schemas that a request or a response is checked by, as far as they are written. */
function findSchemas(document: OpenApiDocument): Pointer[] {
  const { components } = document;
  const json = ["content", "application/json", "schema"];
  const pointersIn = (section: "schemas" | "parameters" | "headers" | "responses", ...below: string[]) =>
    Object.keys(components?.[section] ?? {}).map((name) => ["components", section, name, ...below]);
  const ofOperations = toOperations(document).flatMap(({ path, method, object }) =>
    Object.keys(object.responses ?? {}).map((status) => ["paths", path, method, "responses", status, ...json]),
  );
  return [
    ...pointersIn("schemas"),
    ...pointersIn("parameters", "schema"),
    ...pointersIn("headers", "schema"),
    ...pointersIn("responses", ...json),
    ...ofOperations,
  ].filter((pointer) => valueAt(document, pointer) !== undefined);
}
