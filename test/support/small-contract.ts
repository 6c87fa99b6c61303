// A contract of a few lines, where openapi.yaml would take a tenth of a second to load and compile.
import { hash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Contract, createContract } from "../../src/contract/contract.js";
import { parseContractFile } from "../../src/contract/contract-file.js";
import { createTemporaryFolder } from "./temporary-folder.js";

const NAME = "cups.json";

/** @param more members of the document, such as `components`; without `security`, operations are open. */
const toText = (paths: object, more: object) =>
  JSON.stringify({ openapi: "3.1.0", info: { title: "Cups", version: "1.0.0" }, security: [], paths, ...more });

export function createSmallContract(paths: object, more: object = {}): Contract {
  const text = toText(paths, more);
  return createContract(parseContractFile({ path: NAME, text, digest: hash("sha256", text) }));
}

/** Returns the path of a file, which is removed when the test ends, or with `afterAll` when the file ends. */
export async function writeSmallContract(
  paths: object,
  more: object = {},
  atEnd?: Parameters<typeof createTemporaryFolder>[0],
): Promise<string> {
  const path = join(await createTemporaryFolder(atEnd), NAME);
  await writeFile(path, toText(paths, more));
  return path;
}

/** The responses of an operation that has one: 200, in JSON. */
export function ok(schema: object, media: object = {}) {
  return { 200: { description: "ok", content: { "application/json": { schema, ...media } } } };
}
