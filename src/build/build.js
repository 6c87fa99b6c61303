// `npm run build`: compiles src into dist, bundles the scripts of the pages, and checks the contracts and seeds that the package ships, so
// that a start need not.
import { fileURLToPath } from "node:url";
import { buildIfChanged } from "./build-if-changed.js";

const outcome = await buildIfChanged({
  root: fileURLToPath(new URL("../..", import.meta.url)),
  inputs: [
    ...["src", "data/seeds", "openapi.yaml"],
    ...["tsconfig.json", "tsconfig.build.json", "package.json", "node_modules/.package-lock.json"],
  ],
  project: "tsconfig.build.json",
  programs: [["src/build/bundle-pages.js"], ["dist/build/precheck.js"]],
});
process.exitCode = outcome === "failed" ? 1 : 0;
