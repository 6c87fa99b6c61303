// The scripts of the pages, as the build has bundled them from console/ and docs-page/. A page has its script in it.
import { readFileSync } from "node:fs";

/** The same relative path holds in `src` and in `dist`. */
const BUILT = new URL("../../dist/", import.meta.url);

export function readScript(name: "console/main" | "docs-page/docs" | "docs-page/report"): string {
  return readFileSync(new URL(`${name}.js`, BUILT), "utf8");
}
