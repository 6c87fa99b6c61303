// MSW 3, which is no dependency here, since it needs a newer Node than the oldest of this package.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runToEnd } from "./command.js";
import { createTemporaryFolder } from "./temporary-folder.js";

export type Installed = { folder: string; reason?: never } | { folder?: never; reason: string };

/** Installs it in a folder of its own. Where no registry has it, returns the reason; in CI it has to be there. */
export async function installMsw3(cleanUp: (remove: () => Promise<void>) => void): Promise<Installed> {
  const folder = await createTemporaryFolder(cleanUp);
  await writeFile(join(folder, "package.json"), '{"private":true,"type":"module"}');
  const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", "--engine-strict=false"];
  const { code, output } = await runToEnd("npm", ["install", "msw@3", ...options], { cwd: folder });
  if (code === 0) return { folder };
  const reason = `MSW 3 could not be installed: ${output.trim().split("\n")[0]}`;
  if (process.env.CI) throw new Error(reason);
  return { reason };
}

/** Undefined if this Node can run it outside of a browser. */
export function whyNotInNode(): string | undefined {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > 22 || (major === 22 && minor >= 12)) return undefined;
  return `MSW 3 needs Node 22.12; this is ${process.versions.node}`;
}
