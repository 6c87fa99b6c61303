// `npm run build`: compiles src into dist, bundles the scripts of the pages, and checks the contracts and seeds of the package, so
// that starts need not.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { buildIfChanged } from "./build-if-changed.js";

const root = fileURLToPath(new URL("../..", import.meta.url));

// With --lenient, on a branch whose openapi.yaml is ahead of the code, the build lists type errors and continues, and seeds may be
// invalid. `npm run check`, `npm test` and `npm pack` are strict.
const digest = createHash("sha256")
  .update(readFileSync(`${root}/openapi.yaml`))
  .digest("hex");
const isAhead = !readFileSync(`${root}/src/contract/implemented.gen.json`, "utf8").includes(digest);
const outcome = await buildIfChanged({
  isLenient: isAhead && process.argv.includes("--lenient"),
  root,
  inputs: [
    ...["src", "data/seeds", "openapi.yaml"],
    ...["tsconfig.json", "tsconfig.build.json", "package.json", "node_modules/.package-lock.json"],
  ],
  project: "tsconfig.build.json",
  programs: [["src/build/bundle-pages.js"], ["dist/build/precheck.js"]],
});
process.exitCode = outcome === "failed" ? 1 : 0;
