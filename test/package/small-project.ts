// A project as small as can be that the build of this repository builds: two sources, a seed, and a check of the seed.
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildIfChanged } from "../../src/build/build-if-changed.js";
import { ROOT } from "../support/command.js";

const CONFIG = {
  compilerOptions: {
    ...{ target: "es2022", lib: ["es5"], types: [], skipLibCheck: true, module: "nodenext" },
    ...{ rootDir: "src", outDir: "dist", declaration: true },
    ...{ noEmitOnError: true, incremental: true, tsBuildInfoFile: "dist/.tsbuildinfo" },
  },
  include: ["src"],
};

const CHECK = `// @ts-nocheck
import { readFileSync, writeFileSync } from "node:fs";
const seed = readFileSync("data/seed.json", "utf8");
if (Number.isNaN(Number(seed))) process.exit(1);
writeFileSync("dist/checked.json", seed);
`;

export interface SmallProject {
  root: string;
  write(path: string, text: string): Promise<void>;
  read(path: string): Promise<string>;
  remove(path: string): Promise<void>;
  build(): ReturnType<typeof buildIfChanged>;
}

/** Not built yet. The caller removes the folder. */
export async function createSmallProject(): Promise<SmallProject> {
  const root = await mkdtemp(join(tmpdir(), "build-"));
  const write = (path: string, text: string) => writeFile(join(root, path), text);
  for (const folder of ["src", "node_modules", "data"]) await mkdir(join(root, folder));
  await symlink(join(ROOT, "node_modules", "typescript-7"), join(root, "node_modules", "typescript-7"));
  await write("package.json", '{ "type": "module" }');
  await write("tsconfig.json", JSON.stringify(CONFIG));
  await write("data/seed.json", "1");
  await write("src/main.ts", 'export { value } from "./value.js";\n');
  await write("src/value.ts", "export const value: number = 1;\n");
  await write("src/check.ts", CHECK);
  return {
    root,
    write,
    read: (path) => readFile(join(root, path), "utf8"),
    remove: (path) => rm(join(root, path)),
    build: () =>
      buildIfChanged({
        root,
        inputs: ["src", "data", "tsconfig.json"],
        project: "tsconfig.json",
        programs: [["dist/check.js"]],
      }),
  };
}
