// Bundles the scripts of the pages, each into one file: as thirty modules, the console takes three times as long to open.
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";

const cwd = fileURLToPath(new URL("../..", import.meta.url));

for (const folder of ["pages/console", "pages/script"])
  rmSync(`${cwd}/dist/${folder}`, { recursive: true, force: true });
for (const script of ["pages/console/main", "pages/script/page"]) {
  await build({
    cwd,
    input: `src/${script}.ts`,
    platform: "browser",
    output: { file: `dist/${script}.js`, format: "iife", minify: true },
  });
}
