// openapi.yaml with a changed value in memory. It is not validated, and keeps the line numbers of the file.
import { type Contract, createContract } from "../../src/contract/contract.js";
import type { OpenApiDocument } from "../../src/contract/openapi-document.js";
import { contract } from "./contract.js";

export const DOCUMENT = contract.file.value as OpenApiDocument;

/** @param edit changes a copy of the document in place. */
export function createEditedContract(edit: (document: OpenApiDocument) => void): Contract {
  const document = structuredClone(DOCUMENT);
  edit(document);
  return createContract({ ...contract.file, value: document });
}
