// The parts of `npm run check` run beside the tests, not before them. The build is not among them: tests use its result.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { ROOT, runToEnd } from "../support/command.js";

const parts = manifest.scripts.check.split(" && ").filter((part) => part !== manifest.scripts.build);
const PATH = [join(ROOT, "node_modules/.bin"), process.env.PATH].join(delimiter);

test.each(parts)("%s", async (part) => {
  const [program = "", ...args] = part.split(" ");
  const { code, output } = await runToEnd(program, args, { env: { PATH } });
  expect(code, output).toBe(0);
});

// The build writes it, so that no check of the working tree sees that an old one was committed.
test("the implemented contract of a commit is its openapi.yaml", () => {
  const read = (path: string) => execFileSync("git", ["show", `HEAD:${path}`], { cwd: ROOT, maxBuffer: 2 ** 24 });
  const digest = createHash("sha256").update(read("openapi.yaml")).digest("hex");
  expect(JSON.parse(String(read("src/contract/implemented.gen.json"))).digest).toBe(digest);
});
