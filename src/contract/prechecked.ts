// What the build has checked in full, which a start does not check again: contracts as JSON text, by the SHA-256 of
// their bytes, and the digests of seeds. To check the package's own ones at each start would take 900 ms of processor
// time.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";

/** src/ and dist/ read the same file. */
const FILE = new URL("../../dist/prechecked.json.br", import.meta.url);

let prechecked: Record<string, string> | undefined;

function read(): Record<string, string> {
  // The file is absent where the sources run before the first build.
  prechecked ??= existsSync(FILE) ? JSON.parse(brotliDecompressSync(readFileSync(FILE)).toString()) : {};
  return prechecked as Record<string, string>;
}

/** The value of a contract that the build has checked, a new one at each call. */
export function findPrechecked(digest: string): unknown {
  const text = read()[digest];
  return text === undefined ? undefined : JSON.parse(text);
}

/** Whether the build has checked what has this digest. */
export const isPrechecked = (digest: string): boolean => Object.hasOwn(read(), digest);

/** Called by the build alone. */
export function writePrechecked(values: Record<string, string>): void {
  prechecked = values;
  writeFileSync(FILE, brotliCompressSync(JSON.stringify(values)));
}
