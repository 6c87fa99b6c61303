// A contract as requests or as responses have it: `readOnly` members are not sent in requests, `writeOnly` ones not in
// responses. A validator of JSON Schema does not know that.
import type { Contract } from "../../contract/contract.js";
import { type OpenApiDocument, resolve, type SchemaObject } from "../../contract/openapi-document.js";
import { toOperations } from "../../contract/operations.js";
import { checkResponse } from "../../contract/response-check.js";
import { createSchemaChecker } from "../../contract/schema-checker.js";
import { walkContract } from "../contract-objects.js";
import type { MessageSide } from "./change.js";

const KEYWORDS = { request: "readOnly", response: "writeOnly" } as const;

/** The same object where the contract does not use the keyword. */
export function toSided(contract: Contract, side: MessageSide): Contract {
  const keyword = KEYWORDS[side];
  if (!JSON.stringify(contract.document).includes(`"${keyword}":true`)) return contract;
  const document = structuredClone(contract.document);
  for (const { value } of [...walkContract(document)]) forbid(document, value as SchemaObject, keyword);
  const schemas = createSchemaChecker({ ...contract.file, value: document });
  return {
    ...{ ...contract, document, schemas, operations: toOperations(document) },
    checkResponse: (operation, response) => checkResponse(document, schemas, operation, response),
  };
}

function forbid(document: OpenApiDocument, schema: SchemaObject, keyword: string): void {
  const { properties, required } = schema;
  if (typeof properties !== "object" || properties === null) return;
  const names = Object.entries(properties).flatMap(([name, member]) =>
    member && (member[keyword] === true || resolve<SchemaObject>(document, member)[keyword] === true) ? [name] : [],
  );
  for (const name of names) Object.assign(properties, { [name]: false });
  if (Array.isArray(required)) schema.required = required.filter((name) => !names.includes(name));
}
