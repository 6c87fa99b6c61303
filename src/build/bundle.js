// Makes dist small and quick to load: bundles the scripts of the pages, since the console takes three times as long to
// open as thirty modules; bundles libraries that are much larger than what is used of them; minifies generated modules,
// and removes the comments of all others.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";
import { build } from "rolldown";
import { minifySync } from "rolldown/utils";

const cwd = fileURLToPath(new URL("../..", import.meta.url));
const dist = `${cwd}/dist`;

const filesEndingWith = (end) =>
  readdirSync(dist, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(end));
/** @param options the default is to minify. */
function rewrite(file, options) {
  writeFileSync(`${dist}/${file}`, minifySync(file, readFileSync(`${dist}/${file}`, "utf8"), options).code);
}

// Before there are bundles, which hold notices.
for (const file of filesEndingWith(".js"))
  rewrite(file, { compress: false, mangle: false, codegen: { removeWhitespace: false } });

for (const folder of ["pages/console", "pages/script"]) rmSync(`${dist}/${folder}`, { recursive: true, force: true });
for (const script of ["pages/console/main", "pages/script/page"]) {
  await build({
    cwd,
    input: `src/${script}.ts`,
    platform: "browser",
    output: { file: `dist/${script}.js`, format: "iife", minify: true },
  });
}

/** Modules that libraries are bundled into, each with the packages whose licences ask for their notices. */
const BUNDLED = {
  "pages/report/jsdiff": ["diff"],
  "tools/review/changes/pattern-language": ["refa", "@eslint-community/regexpp"],
  "tools/review/version": ["semver"],
};
for (const [module, packages] of Object.entries(BUNDLED)) {
  await build({
    cwd,
    input: `src/${module}.ts`,
    platform: "node",
    checks: { bundlerTimings: false }, // a warning on a slow machine
    plugins: [
      { name: "compress-tables", transform: (code, id) => (/[\\/]refa[\\/]/.test(id) ? compressTables(code) : null) },
    ],
    output: { file: `dist/${module}.js`, format: "esm", minify: true, banner: noticesOf(packages) },
  });
}

/** The licences of packages that are bundled, but not installed with this one. */
function noticesOf(packages) {
  const notices = packages.map((name) => {
    const folder = `${cwd}/node_modules/${name}`;
    const [file] = readdirSync(folder).filter((name) => name.startsWith("LICENSE"));
    return `${name}\n${readFileSync(`${folder}/${file}`, "utf8")}`;
  });
  return `/*!\n${notices.join("\n")}*/`;
}

/** The tables of Unicode are most of refa. */
function compressTables(code) {
  const tables = [];
  const small = code.replaceAll(
    /JSON\.parse\((?:'([^'\\]{100,})'|"([^"\\]{100,})")\)/g,
    (_, ...[single, double]) => `tables[${tables.push(JSON.parse(single ?? double)) - 1}]`,
  );
  if (small.length > code.length / 2) throw new Error("refa has no tables where they were");
  // Tables resemble others that are far away.
  const { BROTLI_PARAM_LGWIN, BROTLI_MAX_WINDOW_BITS, BROTLI_PARAM_QUALITY } = constants;
  const params = { [BROTLI_PARAM_LGWIN]: BROTLI_MAX_WINDOW_BITS, [BROTLI_PARAM_QUALITY]: 9 }; // 11 takes a second more
  const bytes = brotliCompressSync(JSON.stringify(tables), { params }).toString("base64");
  const whole = `JSON.parse(process.getBuiltinModule("node:zlib").brotliDecompressSync(Buffer.from("${bytes}", "base64")).toString())`;
  return { code: small.replace('"use strict";', `"use strict";const tables=${whole};`), map: null };
}

for (const file of filesEndingWith(".gen.js")) rewrite(file);
