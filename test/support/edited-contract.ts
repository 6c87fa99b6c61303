// openapi.yaml with something changed in its value, in memory: it is neither read again nor validated, and its lines are those
// of the file.
import { findCitation } from "../../src/contract/citation.js";
import type { Contract } from "../../src/contract/contract.js";
import { CONTRACT_PATH, loadContractText, toContractFile } from "../../src/contract/contract-file.js";
import type { OpenApiDocument } from "../../src/contract/openapi-document.js";
import { toOperations } from "../../src/contract/operations.js";
import { checkResponse } from "../../src/contract/response-check.js";
import { createSchemaChecker } from "../../src/contract/schema-checker.js";

const FILE = toContractFile(loadContractText(CONTRACT_PATH));
export const DOCUMENT = FILE.value as OpenApiDocument;

/** @param edit changes the document in place; it is a copy. */
export function createEditedContract(edit: (document: OpenApiDocument) => void): Contract {
  const document = structuredClone(DOCUMENT);
  edit(document);
  const file = { ...FILE, value: document };
  const schemas = createSchemaChecker(file);
  return {
    file,
    document,
    operations: toOperations(document),
    schemas,
    checkResponse: (operation, response) => checkResponse(document, schemas, operation, response),
    findCitation: (operation, path) => findCitation(document, operation, path),
  };
}
