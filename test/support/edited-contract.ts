// openapi.yaml with something changed in its value, in memory: it is neither read again nor validated, and its lines are those
// of the file.
import { type Contract, createContract } from "../../src/contract/contract.js";
import { toContractFile } from "../../src/contract/contract-file.js";
import type { OpenApiDocument } from "../../src/contract/openapi-document.js";
import { loadContractText } from "./contract-text.js";

const FILE = toContractFile(loadContractText());
export const DOCUMENT = FILE.value as OpenApiDocument;

/** @param edit changes the document in place; it is a copy. */
export function createEditedContract(edit: (document: OpenApiDocument) => void): Contract {
  const document = structuredClone(DOCUMENT);
  edit(document);
  return createContract({ ...FILE, value: document }, document);
}
