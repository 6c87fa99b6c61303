// Compiles src into dist, bundles the scripts of the pages, and checks the contracts and seeds of the package, so that
// starts need not.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { buildIfChanged } from "./build-if-changed.js";

const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * @param {object} options
 * @param {boolean} options.isLenient on a branch whose openapi.yaml is ahead of the code, list type errors and
 * continue; seeds may be invalid. `npm run check`, `npm test` and `npm pack` are strict.
 */
export function buildProject({ isLenient }) {
  const digest = createHash("sha256")
    .update(readFileSync(`${root}/openapi.yaml`))
    .digest("hex");
  const isAhead = !readFileSync(`${root}/src/contract/implemented.gen.json`, "utf8").includes(digest);
  return buildIfChanged({
    isLenient: isAhead && isLenient,
    root,
    inputs: [
      "src",
      "data/seeds",
      "docs",
      "README.md",
      "openapi.yaml",
      "tsconfig.json",
      "tsconfig.build.json",
      "package.json",
      "node_modules/.package-lock.json",
    ],
    project: "tsconfig.build.json",
    programs: [
      "src/build/bundle.js",
      "src/build/copy-types.js",
      "dist/build/render-guides.js",
      "dist/build/precheck.js",
    ].map((file) => [file]),
  });
}
