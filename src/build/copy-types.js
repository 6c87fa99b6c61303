// Copies the types that the entry points of the package lead to into dist. The compiler writes those of all modules
// into dist/.types.
import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";

const dist = fileURLToPath(new URL("../../dist/", import.meta.url));
const types = join(dist, ".types");
const { exports } = JSON.parse(readFileSync(join(dist, "../package.json"), "utf8"));

for (const file of readdirSync(dist, { recursive: true, encoding: "utf8" }))
  if (file.endsWith(".d.ts") && !file.startsWith(".types")) rmSync(join(dist, file));
const files = Object.values(exports).flatMap((entry) => (entry.types ? [posix.relative("dist", entry.types)] : []));
for (const file of new Set(files).values()) copy(file);

function copy(file) {
  const source = join(types, file);
  // Another step of the build writes the types of the seeds.
  if (existsSync(join(dist, file)) || !existsSync(source)) return;
  cpSync(source, join(dist, file));
  for (const [, path] of readFileSync(source, "utf8").matchAll(/(?:from |import\()"(\.[^"]+)\.js"/g))
    copy(posix.join(posix.dirname(file), `${path}.d.ts`));
}
