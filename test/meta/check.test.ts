// The parts of `npm run check` run beside the tests, not before them. The build is not among them: tests use its result.
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
