// dist/ as src/ says it is, for tests that run it. `npm test` has just built it; a single test file may find an old one.
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { ROOT, runToEnd } from "./command.js";

export async function buildIfStale(): Promise<void> {
  const built = statSync(join(ROOT, "dist", "store", "checked.seeds.json"), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = ["src", "data/seeds"].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((file) => join(folder, file)),
  );
  if ([...sources, "openapi.yaml"].every((file) => statSync(join(ROOT, file)).mtimeMs <= built)) return;
  const { code, output } = await runToEnd("npm", ["run", "--silent", "build"]);
  if (code !== 0) throw new Error(`the build failed:\n${output}`);
}
