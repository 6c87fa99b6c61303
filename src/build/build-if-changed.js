// A build that runs only if its inputs have changed since the last one, by content: times of files say too little after a
// checkout, a restored copy or a cache. It is JavaScript, since it runs before anything is compiled.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * @param {object} build
 * @param {string} build.root the folder that the other paths are relative to
 * @param {string[]} build.inputs files and folders; any change in them leads to a build
 * @param {string} build.project the TypeScript project that compiles src into dist, with its tsbuildinfo in dist
 * @param {string[][]} build.programs to run after that, with their arguments
 * @param {boolean} [build.isLenient] whether type errors do not stop it: the compiler has printed them
 * @returns {Promise<"unchanged" | "built" | "failed">} the programs have printed why it failed
 */
export async function buildIfChanged({ root, inputs, project, programs, isLenient = false }) {
  // The digest of the inputs of a complete build. There is none while a build runs, and after one that failed.
  const record = join(root, "dist", ".build");
  const last = existsSync(record) ? readFileSync(record, "utf8") : undefined;
  const digest = toDigest(root, inputs); // before the build: what is saved while it runs differs the next time
  if (last === `strict ${digest}` || (isLenient && last === `lenient ${digest}`)) return "unchanged";

  if (process.stderr.isTTY) process.stderr.write("Building …\n");
  rmSync(record, { force: true });
  // Of an incomplete build, the compiler's own record cannot be trusted: everything is compiled.
  if (last === undefined) rmSync(join(root, "dist", ".tsbuildinfo"), { force: true });
  const tsc = join("node_modules", "typescript-7", "bin", "tsc"); // the native compiler; openapi-typescript needs the other
  const isComplete = await isDone(root, [tsc, "-p", project, ...(isLenient ? ["--noEmitOnError", "false"] : [])]);
  if (!isComplete && !isLenient) return "failed";
  if (!isComplete)
    process.stderr.write(
      "The errors above are what is left to implement of openapi.yaml. They do not stop this command.\n",
    );
  removeStale(root);
  const more = isLenient ? ["--lenient"] : [];
  // They leave files in dist: last.
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

/** The place itself or all files below it, relative to the root; none if there is no such place. */
function listFiles(root, place) {
  const kind = statSync(join(root, place), { throwIfNoEntry: false });
  if (!kind?.isDirectory()) return kind ? [place] : [];
  const names = readdirSync(join(root, place)).sort();
  return names.flatMap((name) => listFiles(root, `${place}/${name}`));
}

/** Removes from dist what has no source: the compiler leaves the output of deleted sources, and the package would ship it. */
function removeStale(root) {
  for (const file of listFiles(root, "dist").filter((file) => !file.startsWith("dist/."))) {
    const source = file.replace(/^dist/, "src").replace(/(\.d\.ts|\.js)$/, ".ts");
    if (!source.endsWith(".ts") || !existsSync(join(root, source))) rmSync(join(root, file));
  }
}

/** Runs a Node program to its end, with the output of the build as its own. */
function isDone(root, args) {
  return new Promise((resolve) => {
    spawn(process.execPath, args, { cwd: root, stdio: "inherit" }).once("exit", (code) => resolve(code === 0));
  });
}
