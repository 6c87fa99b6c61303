// The npm scripts run in cmd.exe as in sh: programs with plain arguments, joined by `&&`.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { ROOT } from "../support/command.js";
import { readDocument } from "../support/documents.js";

/** Why cmd.exe would not run a script as sh does; undefined if it would. */
function objectionTo(script: string): string | undefined {
  for (const command of script.split(" && ")) {
    const [program = "", ...args] = command.split(" ");
    const isProgram = ["node", "npm"].includes(program) || existsSync(join(ROOT, "node_modules/.bin", program));
    if (!isProgram) return `${program} is no program of Node.js or of a dependency`;
    const special = args.find((arg) => !/^[\w@./=:-]+$/.test(arg));
    if (special !== undefined) return `${special} means something to a shell`;
    const missing = args.find((arg) => /^(src|test)\/.*\.js$/.test(arg) && !existsSync(join(ROOT, arg)));
    if (missing !== undefined) return `${missing} does not exist`;
  }
  return undefined;
}

test.each(Object.entries(manifest.scripts))("npm run %s needs no shell", (_name, script) => {
  expect(objectionTo(script)).toBeUndefined();
});

test.each([
  ["exec node src/build/build.js", "exec is no program of Node.js or of a dependency"],
  ["node src/build/build.js && exec node src/build/build.js", "exec is no program of Node.js or of a dependency"],
  ["TEST_SIZE=full vitest run", "TEST_SIZE=full is no program of Node.js or of a dependency"],
  ["rm -r dist", "rm is no program of Node.js or of a dependency"],
  ["vitest run 'test/cli'", "'test/cli' means something to a shell"],
  ["biome check test/*.ts", "test/*.ts means something to a shell"],
  ["node src/build/build.js; vitest", "src/build/build.js; means something to a shell"],
  ["node src/build/build.js & vitest", "& means something to a shell"],
  ["node $PWD/build.js", "$PWD/build.js means something to a shell"],
  ["node src/build/nothing.js", "src/build/nothing.js does not exist"],
])("the script %s is rejected", (script, objection) => {
  expect(objectionTo(script)).toBe(objection);
});

test("`npm start` serves each save of the contract, as the guides say", () => {
  expect(manifest.scripts.start).toContain(" serve --watch");
  expect(readDocument("docs/spec-review.md")).toContain(
    "With `--watch` (`npm start` has it, and `mock` needs none), every save is served.",
  );
});
