// openapi.yaml with a changed value in memory. It is not validated, and keeps the line numbers of the file.
import { type Contract, createContract } from "../../src/contract/contract.js";
import { parseContractFile } from "../../src/contract/contract-file.js";
import type { OpenApiDocument } from "../../src/contract/openapi-document.js";
import { loadContractText } from "./contract-text.js";

const FILE = parseContractFile(loadContractText());
export const DOCUMENT = FILE.value as OpenApiDocument;

/** @param edit changes a copy of the document in place. */
export function createEditedContract(edit: (document: OpenApiDocument) => void): Contract {
  const document = structuredClone(DOCUMENT);
  edit(document);
  return createContract({ ...FILE, value: document });
}
