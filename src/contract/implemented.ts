// The contract that the handlers implement: the last one with which the package compiled and its seeds were valid. The
// build records it without prose, so that edits of openapi.yaml can be compared with it.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { type Contract, createContract } from "./contract.js";
import { parseContractFile } from "./contract-file.js";
import { isObject } from "./json.js";
import { memoize } from "./memoize.js";
import type { OpenApiDocument } from "./openapi-document.js";

const FILE = new URL("../../src/contract/implemented.gen.json", import.meta.url);
const PROSE = /^(description|summary|examples?|tags|info|servers|license|x-(?!literal-plus$).*)$/;

interface Recorded {
  /** SHA-256 of openapi.yaml. */
  digest: string;
  document: OpenApiDocument;
}

let recorded: Recorded | undefined;
let implemented: Contract | undefined;

/** True if the handlers implement exactly this text. */
export function isImplementedText({ file }: Pick<Contract, "file">): boolean {
  return read().digest === file.digest;
}

/** True if the handlers implement a contract. Its prose and examples may differ. */
export const isImplemented = memoize(
  (contract: Contract): boolean =>
    isImplementedText(contract) ||
    toTextWithoutProse(contract.document) === toTextWithoutProse(implementedContract().document),
);

export function implementedContract(): Contract {
  if (implemented) return implemented;
  const { digest, document } = read();
  const file = parseContractFile({ path: "openapi.yaml", text: "", digest }, document);
  implemented = createContract(file);
  return implemented;
}

function read(): Recorded {
  recorded ??= JSON.parse(readFileSync(FILE, "utf8")) as Recorded;
  return recorded;
}

/** Called by the build alone. An equal file stays as it is, since a server may be reading it. */
export function writeImplemented({ file }: Contract): void {
  const next: Recorded = { digest: file.digest, document: JSON.parse(toTextWithoutProse(file.value)) };
  const text = `${JSON.stringify(next, null, 1)}\n`;
  if (!existsSync(FILE) || readFileSync(FILE, "utf8") !== text) writeFileSync(FILE, text);
}

function toTextWithoutProse(value: unknown): string {
  const { openapi, paths, components, security } = value as OpenApiDocument; // a contract that has been loaded
  const { schemas, parameters, headers, responses, securitySchemes } = components ?? {};
  const kept = { openapi, security, paths, components: { schemas, parameters, headers, responses, securitySchemes } };
  return JSON.stringify(kept, (_name, value) =>
    isObject(value)
      ? Object.fromEntries(Object.entries(value).filter(([name, member]) => !isProse(name, member)))
      : value,
  );
}

/** False for a property of that name, whose value is a schema. */
function isProse(name: string, member: unknown): boolean {
  const isSchema = isObject(member) && ("type" in member || "$ref" in member);
  return PROSE.test(name) && !isSchema;
}
