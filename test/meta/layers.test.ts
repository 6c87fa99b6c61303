// Imports point down. Each folder names the folders that it may import from.
import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT } from "../support/command.js";

const ARROWS: Record<string, string[]> = {
  contract: [],
  domain: ["contract"],
  store: ["contract", "domain"],
  docs: ["contract"],
  report: ["docs"],
  api: ["contract", "domain", "store"],
  adapt: ["api", "contract", "domain"],
  http: ["adapt", "api", "contract", "docs", "domain", "store"],
  coverage: ["api", "contract", "domain"],
  steps: ["api", "contract", "control", "store"],
  control: ["adapt", "api", "contract", "coverage", "domain", "http", "store"],
  client: ["contract", "control", "domain"],
  console: ["client", "docs-page"],
  "docs-page": ["client"],
  oracle: ["contract"],
  check: ["api", "contract", "control", "domain", "fetch"],
  preview: ["domain", "fetch"],
  fetch: ["api", "client", "contract", "control", "coverage", "domain", "steps", "store"],
};
const PURE = ["@sindresorhus/slugify", "leven"];
const TOOLS = [
  "check",
  "preview",
  "oracle",
  "mock",
  "proxy",
  "verify",
  "review",
  "usage",
  "report",
  "client",
  "console",
  "docs-page",
  "fetch",
];

interface Import {
  file: string;
  target: string;
}

const IMPORTS: Import[] = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts"))
  .flatMap((file) =>
    [...readFileSync(join(ROOT, "src", file), "utf8").matchAll(/(?:from|import\(|require\()\s*"([^"]+)"/g)].map(
      ([, specifier = ""]) => ({
        file,
        target: specifier.startsWith(".") ? posix.join(posix.dirname(file), specifier) : specifier,
      }),
    ),
  );
const from = (folder: string) => IMPORTS.filter(({ file }) => file.startsWith(`${folder}/`));

describe("layers", () => {
  test.each(Object.entries(ARROWS))("%s imports from %j alone", (folder, targets) => {
    const local = from(folder).filter(
      ({ target }) => /^(\w+\/|[\w-]+\.js$|\.\.)/.test(target) && target.endsWith(".js"),
    );
    expect(local.length).toBeGreaterThan(0);
    expect(
      local.filter(
        ({ target }) => ![folder, ...targets].includes(target.split("/")[0] ?? "") && !target.includes("ajv/"),
      ),
    ).toEqual([]);
  });

  test("there are no import cycles, not even of types", () => {
    expect(
      findCycle(
        new Map([
          ["a.ts", ["b.ts"]],
          ["b.ts", ["a.ts"]],
        ]),
      ),
    ).toEqual(["a.ts", "b.ts", "a.ts"]);
    const graph = new Map<string, string[]>();
    for (const { file, target } of IMPORTS) {
      if (!target.endsWith(".js")) continue;
      graph.set(posix.normalize(file), [...(graph.get(file) ?? []), target.replace(/\.js$/, ".ts")]);
    }
    expect(graph.size).toBeGreaterThan(100);
    expect(findCycle(graph)).toBeUndefined();
  });

  test("the domain is pure: it imports no library but for slugs and near names", () => {
    const libraries = from("domain").filter(({ target }) => !target.endsWith(".js"));
    expect(libraries.filter(({ target }) => !PURE.includes(target))).toEqual([]);
  });

  test.each(["contract/openapi.gen.js", "control/control.gen.js", "fetch/contract.gen.js"])(
    "only its own folder reads %s",
    (generated) => {
      const readers = IMPORTS.filter(({ target }) => target === generated).map(({ file }) => file);
      expect(readers.length).toBeGreaterThan(0);
      expect(readers.filter((file) => posix.dirname(file) !== posix.dirname(generated))).toEqual([]);
    },
  );

  test("only the store knows lowdb, and the server imports no tool", () => {
    expect(IMPORTS.filter(({ target }) => target === "lowdb").every(({ file }) => file.startsWith("store/"))).toBe(
      true,
    );
    const server = IMPORTS.filter(
      ({ file }) => !/^(cli\/|cli\.ts)/.test(file) && !TOOLS.includes(file.split("/")[0] ?? ""),
    );
    expect(server.filter(({ target }) => TOOLS.includes(target.split("/")[0] ?? ""))).toEqual([]);
  });
});

/** The files of a cycle, the first one again at the end; undefined when there is none. */
function findCycle(graph: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const visited = new Set<string>();
  function visit(file: string, path: string[]): string[] | undefined {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (visited.has(file)) return undefined;
    for (const next of graph.get(file) ?? []) {
      const cycle = visit(next, [...path, file]);
      if (cycle) return cycle;
    }
    visited.add(file);
    return undefined;
  }
  for (const file of graph.keys()) {
    const cycle = visit(file, []);
    if (cycle) return cycle;
  }
  return undefined;
}
