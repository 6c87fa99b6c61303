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
  const [older, newer] = [withoutSame(before, after), withoutSame(after, before)];
  if (isDeepStrictEqual(older, newer)) return ""; // without loading the compiler
  const [was, is] = [toTypes(before, older), toTypes(after, newer)];
  if (was === is) return "";
  const patch = createTwoFilesPatch("before", "after", was, is, "", "", { context: 2 });
  return patch.slice(patch.indexOf("@@")).trimEnd();
}

/**
 * With the options of `npm run generate`.
 * @param part of its document: to make all types takes most of the time
 */
export function toTypes(
  { document }: Contract,
  part: Pick<OpenApiDocument, "paths" | "components"> = document,
): string {
  const transformSchema: typeof TransformSchema = require("openapi-typescript/dist/transform/index.cjs");
  const { astToString } = require("openapi-typescript/dist/lib/ts.cjs") as typeof import("openapi-typescript");
  const options = {
    ...{ defaultNonNullable: false, emptyObjectsUnknown: true, silent: true, injectFooter: [] },
    discriminators: { objects: {}, refsHandled: [] },
    resolve: (reference: string) => valueAt(document, toPointer(reference)),
  };
  return astToString(transformSchema({ ...document, ...part } as unknown as OpenAPI3, options as never));
}

/** The paths and components whose types differ. */
function withoutSame(own: Contract, other: Contract): Pick<OpenApiDocument, "paths" | "components"> {
  const differing = (section: readonly string[]): object => {
    const [members = {}, others = {}] = [own, other].map(({ document }) => valueAt(document, section) as object);
    const isSame = ([name, value]: [string, unknown]) => toShown(value) === toShown(valueAt(others, [name]));
    return Object.fromEntries(Object.entries(members).filter((entry) => !isSame(entry)));
  };
  const sections = Object.keys(own.document.components);
  const components = Object.fromEntries(sections.map((section) => [section, differing(["components", section])]));
  return { paths: differing(["paths"]), components } as Pick<OpenApiDocument, "paths" | "components">;
}

/** Without what neither types nor their comments show. A member may have such a name: then it is an object. */
function toShown(value: unknown): string {
  return JSON.stringify(value, (key, inside) => (HIDDEN.test(key) && typeof inside !== "object" ? undefined : inside));
}

const HIDDEN =
  /^(minimum|maximum|exclusiveMinimum|exclusiveMaximum|(min|max)(Length|Items|Properties)|multipleOf|pattern)$/;
