// A contract of a few lines, where openapi.yaml would take a tenth of a second to load and compile.
import { hash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Contract, createCheckedContract, createContract } from "../../src/contract/contract.js";
import { parseContractFile } from "../../src/contract/contract-file.js";
import { createTemporaryFolder } from "./temporary-folder.js";

const NAME = "cups.json";

/** The first lines of one in YAML. */
export const SMALL_HEAD = "openapi: 3.1.0\ninfo: { title: Cups, version: 1.0.0 }\nsecurity: []\n";

/** @param more members of the document, such as `components`; without `security`, operations are open. */
export function toSmallDocument(paths: object, more: object = {}): object {
  return { openapi: "3.1.0", info: { title: "Cups", version: "1.0.0" }, security: [], paths, ...more };
}

const toSource = (text: string) => ({ path: NAME, text, digest: hash("sha256", text) });

export function createSmallContract(paths: object, more: object = {}): Contract {
  return createContract(parseContractFile(toSource(JSON.stringify(toSmallDocument(paths, more)))));
}

/** Checks it as a file is. @throws ContractError */
export const loadDocument = (document: object): Promise<Contract> => loadText(JSON.stringify(document, null, 1));

/** @param text YAML or JSON. @throws ContractError */
export const loadText = (text: string): Promise<Contract> => createCheckedContract(toSource(text));

/** Returns the path of a file, which is removed when the test ends, or with `afterAll` when the file ends. */
export async function writeSmallContract(
  paths: object,
  more: object = {},
  atEnd?: Parameters<typeof createTemporaryFolder>[0],
): Promise<string> {
  const path = join(await createTemporaryFolder(atEnd), NAME);
  await writeFile(path, JSON.stringify(toSmallDocument(paths, more)));
  return path;
}

/** The responses of an operation that has one: 200, in JSON. */
export function ok(schema: object, media: object = {}) {
  return { 200: { description: "ok", content: { "application/json": { schema, ...media } } } };
}
