// Before the full suite: dist/ as src/ says it is, since many of its tests run the built programs. `npm test` has just built it.
import { execFileSync } from "node:child_process";
import { ROOT } from "./command.js";

export default function build(): void {
  execFileSync(process.execPath, ["src/build/build.js"], { cwd: ROOT, stdio: "inherit" });
}
