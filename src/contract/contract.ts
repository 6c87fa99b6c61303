// The contract: loaded, checked and compiled once into a model that everybody else reads.

import {
  CONTRACT_PATH,
  type ContractFile,
  type ContractText,
  findPrechecked,
  isPrechecked,
  parseContractFile,
  readContractFile,
  readContractText,
} from "./contract-file.js";
import { createModel } from "./create-model.js";
import type { ContractModel } from "./model.js";
import { followReferences, type NormalDocument, type UncheckedPlace } from "./normal-document.js";
import { ContractError } from "./openapi-document.js";
import { assertServable } from "./requirements.js";
import { createSchemaChecker } from "./schema-checker.js";
import { type CopyOptions, type CopySchema, createCopy } from "./schema-node.js";

export interface Contract extends ContractModel {
  file: ContractFile;
  /** Parts of the file that the tools do not support. */
  unchecked: readonly UncheckedPlace[];
  /** Copies its schemas for a library that reads them in a document of its own. */
  copySchemas(options: Omit<CopyOptions, "document">): CopySchema;
}

/**
 * Loads a contract and checks that it can be served: with an invalid one, express-openapi-validator would respond with
 * 500 to every request. A text that the build has checked is not checked again. Servers in one process share the
 * package's contracts, and the last other one. A large contract is loaded in steps, between which a server responds
 * to requests.
 * @param name a file, or a file in a git revision: `proposal:openapi.yaml`.
 * @param cwd a folder of the revision's repository.
 * @throws ContractError with file, line and reason.
 */
export async function loadContract(name: string = CONTRACT_PATH, cwd?: string): Promise<Contract> {
  const source = readContractText(name, cwd);
  const slot = isPrechecked(source.digest) ? source.digest : "other";
  const last = loaded.get(slot);
  if (last && last.file.digest === source.digest && last.file.path === source.path) return last;
  const contract = await createCheckedContract(source);
  loaded.set(slot, contract);
  return contract;
}

/** The package's contracts by digest, and the last other one. */
const loaded = new Map<string, Contract>();

/** Does the same for a text. */
export async function createCheckedContract(source: ContractText): Promise<Contract> {
  const known = findPrechecked(source.digest);
  const file = known === undefined ? await readContractFile(source) : parseContractFile(source, known);
  // An editor may leave an empty file for a moment.
  if (typeof file.value !== "object" || file.value === null)
    throw new ContractError(file.path, 1, "is not an OpenAPI document");
  const normal = followReferences(file);
  const checker = createSchemaChecker(normal.document);
  const model = known === undefined ? await assertServable(file, normal, checker) : createModel(normal, checker);
  return complete(file, normal, model);
}

/** The contract of a file that is known to be valid. */
export function createContract(file: ContractFile): Contract {
  const normal = followReferences(file);
  const model = createModel(normal, createSchemaChecker(normal.document));
  return complete(file, normal, model);
}

function complete(file: ContractFile, normal: NormalDocument, model: ContractModel): Contract {
  const { unchecked } = normal;
  const copySchemas: Contract["copySchemas"] = (options) => createCopy({ ...options, document: model.document });
  return { file, unchecked, copySchemas, ...model };
}
