// The contract that the handlers implement: the last one with which the package compiled and its seeds were valid. The
// build records it without prose, so that edits of openapi.yaml can be compared with it.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { type Contract, createContract } from "./contract.js";
import { parseContractFile } from "./contract-file.js";
import { isText, type Kind, mapParts } from "./grammar.js";
import { isEqual, isObject } from "./json.js";
import { memoize } from "./memoize.js";
import type { OpenApiDocument } from "./openapi-document.js";
import { isReadable } from "./response-check.js";

const FILE = new URL("../../src/contract/implemented.gen.json", import.meta.url);

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
    isEqual(withoutProse(contract.document), withoutProse(implementedContract().document)),
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
  const next: Recorded = { digest: file.digest, document: withoutProse(file.value as OpenApiDocument) };
  const text = `${JSON.stringify(next, null, 1)}\n`;
  if (!existsSync(FILE) || readFileSync(FILE, "utf8") !== text) writeFileSync(FILE, text);
}

/** What decides about requests and responses. The address of a server does not. */
function withoutProse({ openapi, paths, components, security }: OpenApiDocument): OpenApiDocument {
  const { schemas, parameters, headers, responses, securitySchemes } = components;
  const kept = { schemas, parameters, headers, responses, securitySchemes };
  return removeProse("document", { openapi, security, paths, components: kept }) as OpenApiDocument;
}

function removeProse(kind: Kind, part: unknown): unknown {
  if (!isObject(part)) return part;
  const isProse = (key: string) => key === "servers" || (isText(key) && key !== "x-literal-plus");
  const kept = Object.entries(part).filter(([key]) => !isProse(key));
  return mapParts(kind, Object.fromEntries(kept), (child) => removeProse(child.kind, child.value));
}

/** Places that no tool of this project checks, with file and line. */
export function listUnchecked({ file, unchecked, operations }: Contract): string[] {
  const media = operations.flatMap(({ responses }) => responses.flatMap(({ content }) => content));
  const unreadable = media.filter((one) => !isReadable(one)); // their schema is not about their text, such as XML
  const reason = "a body in the form of its schema is neither generated nor checked";
  const bodies = [...new Set(unreadable)].map(({ pointer, type }) => ({ pointer, construct: type, reason }));
  return [...unchecked, ...bodies].map(
    ({ pointer, construct, reason }) => `${file.path}:${file.lineOf(pointer)} ${construct}: ${reason}`,
  );
}
