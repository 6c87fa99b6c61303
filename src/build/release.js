// `npm run release`: a dry run. Names what is missing for a release, and publishes nothing. CONTRIBUTING.md explains
// each entry.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";

/**
 * @param {object} state
 * @param {Record<string, unknown>} state.manifest package.json
 * @param {{ contact?: object }} state.info of openapi.yaml
 * @param {string} state.changelog
 * @param {boolean} state.hasOwners
 * @param {string[]} state.tags of the commit
 * @returns {string[]} what is missing, one line each
 */
export function findMissing({ manifest, info, changelog, hasOwners, tags }) {
  const { version } = manifest;
  const [, unreleased = ""] = /^## Unreleased\n([\s\S]*?)(?=^## )/m.exec(changelog) ?? [];
  const missing = [
    ...["repository", "homepage", "bugs"].map((name) => [manifest[name], `package.json: ${name}`]),
    [hasOwners, ".github/CODEOWNERS"],
    [info.contact, "openapi.yaml: info.contact"],
    [changelog.includes(`\n## ${version}\n`), `CHANGELOG.md: the section ## ${version}`],
    [!/^[-|]/m.test(unreleased), "CHANGELOG.md: lines under ## Unreleased, which belong to a version"],
    [tags.includes(`v${version}`), `git: the tag v${version} on this commit`],
  ];
  return missing.flatMap(([isThere, name]) => (isThere ? [] : [name]));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL("../../", import.meta.url));
  const read = (path) => readFileSync(root + path, "utf8");
  const missing = findMissing({
    manifest: JSON.parse(read("package.json")),
    info: parse(read("openapi.yaml")).info,
    changelog: read("CHANGELOG.md"),
    hasOwners: existsSync(`${root}.github/CODEOWNERS`),
    tags: execFileSync("git", ["tag", "--points-at", "HEAD"], { cwd: root, encoding: "utf8" }).split("\n"),
  });
  for (const name of missing) console.error(`missing  ${name}`);
  console.error(
    missing.length === 0 ? "Ready to publish." : 'Nothing was published: see "Releasing" in CONTRIBUTING.md',
  );
  process.exitCode = missing.length === 0 ? 0 : 1;
}
