// How a change of the contract changes the generated TypeScript types.
import { createRequire } from "node:module";
import { isDeepStrictEqual } from "node:util";
import { createTwoFilesPatch } from "diff";
import type { OpenAPI3, transformSchema as TransformSchema } from "openapi-typescript";
import type { Contract } from "../../contract/contract.js";
import { type OpenApiDocument, toPointer, valueAt } from "../../contract/openapi-document.js";

// In parts and as CommonJS: the whole of it validates and bundles the contract anew, and Node reads the nine megabytes of the
// compiler twice to find the names that it exports. Together that takes a second.
const require = createRequire(import.meta.url);

/** A unified diff; empty where the types are the same. Comments count: editors show them. */
export function diffTypes(before: Contract, after: Contract): string {
  const [older, newer] = [toTypes(before, after), toTypes(after, before)];
  if (older === newer) return "";
  const patch = createTwoFilesPatch("before", "after", older, newer, "", "", { context: 2 });
  return patch.slice(patch.indexOf("@@")).trimEnd();
}

/**
 * With the options of `npm run generate`.
 * @param other without its paths and components that are the same: they take most of the time
 */
export function toTypes({ document }: Contract, other?: Contract): string {
  const transformSchema: typeof TransformSchema = require("openapi-typescript/dist/transform/index.cjs");
  const { astToString } = require("openapi-typescript/dist/lib/ts.cjs") as typeof import("openapi-typescript");
  const options = {
    ...{ defaultNonNullable: false, emptyObjectsUnknown: true, silent: true, injectFooter: [] },
    discriminators: { objects: {}, refsHandled: [] },
    resolve: (reference: string) => valueAt(document, toPointer(reference)),
  };
  const part = other ? withoutSame(document, other.document) : document;
  return astToString(transformSchema(part as unknown as OpenAPI3, options as never));
}

function withoutSame(document: OpenApiDocument, other: OpenApiDocument): OpenApiDocument {
  const differing = <T extends object>(own: T, theirs: object = {}): T => {
    const isSame = ([name, value]: [string, unknown]) => isDeepStrictEqual(value, valueAt(theirs, [name]));
    return Object.fromEntries(Object.entries(own).filter((entry) => !isSame(entry))) as T;
  };
  const sections = Object.entries(document.components).map(([section, members]) => {
    return [section, differing(members as object, valueAt(other.components, [section]) as object | undefined)];
  });
  return {
    ...document,
    paths: differing(document.paths, other.paths),
    components: Object.fromEntries(sections),
  };
}
