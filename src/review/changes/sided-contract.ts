// A contract as requests or as responses have it: `readOnly` members are not sent in requests, `writeOnly` ones not in
// responses. A validator of JSON Schema does not know that.
import type { Contract } from "../../contract/contract.js";
import { type OpenApiDocument, resolve, type SchemaObject } from "../../contract/openapi-document.js";
import { toOperations } from "../../contract/operations.js";
import { checkResponse } from "../../contract/response-check.js";
import { createSchemaChecker } from "../../contract/schema-checker.js";
import { walkContract } from "../walk-contract.js";
import { type OperationVersion, signatureOf } from "./operation-version.js";

const KEYWORDS = { request: "readOnly", response: "writeOnly" } as const;

export type MessageSide = keyof typeof KEYWORDS;

const known = { request: new WeakMap<Contract, Contract>(), response: new WeakMap<Contract, Contract>() };

/** The same object where the contract does not use the keyword. */
export function toSided(contract: Contract, side: MessageSide): Contract {
  const sided = known[side].get(contract) ?? createSided(contract, KEYWORDS[side]);
  known[side].set(contract, sided);
  return sided;
}

export function toSidedVersion({ contract, operation }: OperationVersion, side: MessageSide): OperationVersion {
  const sided = toSided(contract, side);
  const own = sided.operations.find((other) => signatureOf(other) === signatureOf(operation));
  return { contract: sided, operation: own ?? operation };
}

function createSided(contract: Contract, keyword: string): Contract {
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
  const isForbidden = (member: SchemaObject) =>
    member[keyword] === true ||
    (member.$ref !== undefined && resolve<SchemaObject>(document, member)[keyword] === true);
  const names = Object.keys(properties).filter((name) => properties[name] && isForbidden(properties[name]));
  for (const name of names) Object.assign(properties, { [name]: false });
  if (Array.isArray(required)) schema.required = required.filter((name) => !names.includes(name));
}
