// How a change of the contract changes the generated TypeScript types.
import { createTwoFilesPatch } from "diff";
import openapiTS, { astToString } from "openapi-typescript";
import type { Contract } from "../../contract/contract.js";

/** A unified diff; empty where the types are the same. Comments count: editors show them. */
export async function diffTypes(before: Contract, after: Contract): Promise<string> {
  const [older, newer] = [await toTypes(before), await toTypes(after)];
  if (older === newer) return "";
  return createTwoFilesPatch("types before", "types after", older, newer, "", "", { context: 2 });
}

/** With the options of `npm run generate`. */
async function toTypes({ document }: Contract): Promise<string> {
  const options = { defaultNonNullable: false, emptyObjectsUnknown: true, silent: true };
  return astToString(await openapiTS(structuredClone(document) as never, options));
}
