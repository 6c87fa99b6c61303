// A build that runs only if something has changed since the last one, by content: times of files say too little after a
// checkout, a restored copy or a cache. It is JavaScript, since it runs before anything is compiled.
//
// dist/.build.json holds two digests, written at the end of a complete build: of all inputs, and of all files in dist. The
// inputs differ: the compiler rebuilds what they changed (its own records, dist/*.tsbuildinfo, know which files). dist differs,
// since a build was interrupted or a file was edited or deleted: these records cannot be trusted and everything is compiled.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
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
  const record = join(root, "dist", ".build.json");
  const last = existsSync(record) ? JSON.parse(readFileSync(record, "utf8")) : undefined;
  const current = toDigest(root, inputs); // before the build: what is saved while it runs differs the next time
  const isWhole = last !== undefined && last.outputs === toDigest(root, ["dist"]);
  if (isWhole && last.inputs === current && (isLenient || last.isStrict)) return "unchanged";

  if (process.stderr.isTTY) process.stderr.write("Building …\n");
  if (!isWhole) for (const file of listFiles(root, "dist").filter(isCompilerRecord)) rmSync(join(root, file));
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

  writeFileSync(
    `${record}.tmp`,
    JSON.stringify({ inputs: current, outputs: toDigest(root, ["dist"]), isStrict: !isLenient }),
  );
  renameSync(`${record}.tmp`, record); // whole, or not at all
  return "built";
}

/** A digest of the names and contents of all files, without the records of the build itself. */
function toDigest(root, places) {
  const digest = createHash("sha256");
  for (const file of places.flatMap((place) => listFiles(root, place)).filter((file) => !isRecord(file))) {
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

// The list of what is implemented is written by the build, although it is committed.
const isRecord = (file) => file.startsWith("dist/.") || file === "src/contract/implemented.gen.json";
const isCompilerRecord = (file) => file.endsWith(".tsbuildinfo");

/** Removes from dist what has no source: the compiler leaves the output of deleted sources, and the package would ship it. */
function removeStale(root) {
  for (const file of listFiles(root, "dist").filter((file) => !isRecord(file))) {
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
