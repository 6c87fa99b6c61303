// Makes sure that no keyword comes into the contract's requests without a case for it here.
import type { SchemaObject } from "../../src/contract/openapi-document.js";

const SAYS_NOTHING = ["description", "examples", "default"]; // about which values are right

/** @throws where the schema has a keyword that the caller makes no request for. */
export function assertCovered(schema: SchemaObject, place: string, covered: readonly string[]): void {
  const other = Object.keys(schema).find(
    (keyword) => !covered.includes(keyword) && !SAYS_NOTHING.includes(keyword) && !keyword.startsWith("x-"),
  );
  if (other !== undefined) throw new Error(`the parity corpus has no request for "${other}" of ${place}`);
}
