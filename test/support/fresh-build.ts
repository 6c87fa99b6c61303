// dist/ as src/ says it is, for tests that run it. `npm test` has just built it; a single test file may find an old one.
import { ROOT, runToEnd } from "./command.js";

export async function buildIfStale(): Promise<void> {
  const { code, output } = await runToEnd(process.execPath, ["src/build/build.js"], { cwd: ROOT });
  if (code !== 0) throw new Error(`the build failed:\n${output}`);
}
