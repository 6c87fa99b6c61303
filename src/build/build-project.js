// Compiles src into dist, bundles the scripts of the pages, and checks the contracts and seeds of the package, so that
// starts need not. JavaScript, since it runs before anything is compiled.

import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * @param {object} options
 * @param {boolean} options.isLenient on a branch whose openapi.yaml is ahead of the code, list type errors and
 * continue; seeds may be invalid. `npm run check`, `npm test` and `npm pack` are strict.
 */
export function buildProject({ isLenient }) {
  const digest = createHash("sha256")
    .update(readFileSync(`${root}/openapi.yaml`))
    .digest("hex");
  const isAhead = !readFileSync(`${root}/src/contract/implemented.gen.json`, "utf8").includes(digest);
  return buildIfChanged({
    isLenient: isAhead && isLenient,
    root,
    inputs: [
      "src",
      "data/seeds",
      "docs",
      "README.md",
      "openapi.yaml",
      "tsconfig.json",
      "tsconfig.build.json",
      "package.json",
      "node_modules/.package-lock.json",
    ],
    project: "tsconfig.build.json",
    programs: [
      "src/build/bundle.js",
      "src/build/copy-types.js",
      "dist/build/render-guides.js",
      "dist/build/precheck.js",
    ].map((file) => [file]),
  });
}

/**
 * Builds only if the contents of the inputs have changed since the last build. Modification times are unreliable after
 * a checkout, a restored copy or a cache.
 * @param {object} build
 * @param {string} build.root the folder that the other paths are relative to
 * @param {string[]} build.inputs files and folders whose changes require a build
 * @param {string} build.project the TypeScript project that compiles src into dist, with its tsbuildinfo in dist
 * @param {string[][]} build.programs to run after that, with their arguments
 * @param {boolean} [build.isLenient] continue after type errors, which the compiler has printed
 * @returns {Promise<"unchanged" | "built" | "failed">} the compiler or a program has printed why it failed
 */
export async function buildIfChanged({ root, inputs, project, programs, isLenient = false }) {
  // The digest of the inputs of a complete build; absent during a build and after a failed one.
  const record = join(root, "dist", ".build");
  const last = existsSync(record) ? readFileSync(record, "utf8") : undefined;
  const digest = toDigest(root, inputs); // before the build, so that a save during it counts as a change
  if (last === `strict ${digest}` || (isLenient && last === `lenient ${digest}`)) return "unchanged";

  if (process.stderr.isTTY) process.stderr.write("Building …\n");
  rmSync(record, { force: true });
  // After an incomplete build, the compiler's own record cannot be trusted.
  if (last === undefined) rmSync(join(root, "dist", ".tsbuildinfo"), { force: true });
  // The native compiler; openapi-typescript needs the other one.
  const tsc = join("node_modules", "typescript-7", "bin", "tsc");
  const isComplete = await isDone(root, [tsc, "-p", project, ...(isLenient ? ["--noEmitOnError", "false"] : [])]);
  if (!isComplete && !isLenient) return "failed";
  if (!isComplete)
    process.stderr.write(
      "The errors above are what is left to implement of openapi.yaml. They do not stop this command.\n",
    );
  removeStale(root);
  const more = isLenient ? ["--lenient"] : [];
  // Last, since they add files to dist.
  for (const program of programs) if (!(await isDone(root, [...program, ...more]))) return "failed";
  writeFileSync(record, `${isLenient ? "lenient" : "strict"} ${digest}`);
  return "built";
}

/** A digest of the names and contents of all files. */
function toDigest(root, places) {
  const digest = createHash("sha256");
  for (const file of places.flatMap((place) => listFiles(root, place))) {
    if (file === "src/contract/implemented.gen.json") continue; // written by the build, although it is committed
    const bytes = readFileSync(join(root, file));
    digest.update(`${file}\0${bytes.length}\0`).update(bytes);
  }
  return digest.digest("hex");
}

/** The file, or all files of the folder, relative to the root; none if it does not exist. */
function listFiles(root, place) {
  const kind = statSync(join(root, place), { throwIfNoEntry: false });
  if (!kind?.isDirectory()) return kind ? [place] : [];
  const names = readdirSync(join(root, place)).sort();
  return names.flatMap((name) => listFiles(root, `${place}/${name}`));
}

/** Removes from dist what has no source: the compiler keeps the output of deleted ones, and it would be shipped. */
function removeStale(root) {
  for (const file of listFiles(root, "dist").filter((file) => !file.startsWith("dist/."))) {
    const source = file.replace(/^dist/, "src").replace(/(\.d\.ts|\.js)$/, ".ts");
    if (!source.endsWith(".ts") || !existsSync(join(root, source))) rmSync(join(root, file));
  }
}

/** Runs a Node program that shares the output of the build. */
function isDone(root, args) {
  return new Promise((resolve) => {
    spawn(process.execPath, args, { cwd: root, stdio: "inherit" }).once("exit", (code) => resolve(code === 0));
  });
}
