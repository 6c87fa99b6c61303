// What the tests of `usage` share: the kiosk, one of the two small apps, in a folder of a test's own, and references as lines.
import { copyFile, cp } from "node:fs/promises";
import { join } from "node:path";
import type { Usage } from "../../src/usage/usage-file.js";
import { ROOT } from "../support/command.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";

export const TYPES = join(ROOT, "src/contract/openapi.gen.ts");

/** The kiosk with the types that it generates. */
export async function copyKiosk(): Promise<string> {
  const folder = await createTemporaryFolder();
  await cp(join(ROOT, "test/usage/kiosk"), folder, { recursive: true });
  await copyFile(TYPES, join(folder, "api-types.d.ts"));
  return folder;
}

export function toLines({ references }: Usage): string[] {
  return references.map(({ kind, name, how, places }) => [kind, name, how, ...places].filter(Boolean).join(" "));
}
