// Test files of one worker share what they load: those that replace modules, and they alone, stand apart in vitest.config.ts.
import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { expect, test } from "vitest";
import { MOCKING } from "../../vitest.config.js";
import { ROOT } from "../support/command.js";

test("the files that replace modules are those of vitest.config.ts", () => {
  const files = readdirSync(join(ROOT, "test"), { recursive: true, encoding: "utf8" }).filter((path) =>
    path.endsWith(".ts"),
  );
  const sources = new Map(files.map((path) => [`test/${path}`, readFileSync(join(ROOT, "test", path), "utf8")]));
  expect(findMocking(sources)).toEqual(MOCKING.toSorted());
});

/** The test files among the sources, by path, that replace modules. */
function findMocking(sources: ReadonlyMap<string, string>): string[] {
  const isMocking = (path: string, visited: Set<string>): boolean => {
    const source = sources.get(path);
    if (source === undefined || visited.has(path)) return false;
    visited.add(path);
    if (/^(?!\s*(?:\/\/|\*|\/\*)).*\bvi\.(?:mock|doMock)\(/m.test(source)) return true;
    const imports = [...source.matchAll(/(?:from|import|import\()\s*"(\.[^"]+)\.js"/g)];
    return imports.some(([, to]) => isMocking(posix.join(posix.dirname(path), `${to}.ts`), visited));
  };
  return [...sources.keys()].filter((path) => path.endsWith(".test.ts") && isMocking(path, new Set())).toSorted();
}
