// The scripts of the pages, as the build has bundled them from docs-page/. A page has its script in it.
import { readFileSync } from "node:fs";

/** The same relative path holds in `src` and in `dist`. */
const BUILT = new URL("../../dist/docs-page/", import.meta.url);

export function readScript(name: "docs" | "report"): string {
  return readFileSync(new URL(`${name}.js`, BUILT), "utf8");
}
