// How a change of the contract changes the generated TypeScript types.
import { createRequire } from "node:module";
import { createTwoFilesPatch } from "diff";
import type { OpenAPI3, transformSchema as TransformSchema } from "openapi-typescript";
import type { Contract } from "../../contract/contract.js";
import { toPointer, valueAt } from "../../contract/openapi-document.js";

// In parts and as CommonJS: the whole of it validates and bundles the contract anew, and Node reads the nine megabytes of the
// compiler twice to find the names that it exports. Together that takes a second.
const require = createRequire(import.meta.url);

/** A unified diff; empty where the types are the same. Comments count: editors show them. */
export function diffTypes(before: Contract, after: Contract): string {
  const [older, newer] = [toTypes(before), toTypes(after)];
  if (older === newer) return "";
  const patch = createTwoFilesPatch("before", "after", older, newer, "", "", { context: 2 });
  return patch.slice(patch.indexOf("@@")).trimEnd();
}

/** With the options of `npm run generate`. */
export function toTypes({ document }: Contract): string {
  const transformSchema: typeof TransformSchema = require("openapi-typescript/dist/transform/index.cjs");
  const { astToString } = require("openapi-typescript/dist/lib/ts.cjs") as typeof import("openapi-typescript");
  const options = {
    ...{ defaultNonNullable: false, emptyObjectsUnknown: true, silent: true, injectFooter: [] },
    discriminators: { objects: {}, refsHandled: [] },
    resolve: (reference: string) => valueAt(document, toPointer(reference)),
  };
  return astToString(transformSchema(document as unknown as OpenAPI3, options as never));
}
