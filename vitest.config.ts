// One suite in three sizes, quick, full and weekly (test/support/sizes.ts): by `--mode`, or by TEST_SIZE.
import { existsSync } from "node:fs";
import { defineConfig, type ViteUserConfig } from "vitest/config";
import LongestFirst, { LONGEST } from "./test/support/longest-first.js";

const missing = LONGEST.filter((path) => !existsSync(path));
if (missing.length > 0) throw new Error(`test/support/longest-first.ts names files that do not exist: ${missing}`);

export default defineConfig(async ({ mode }): Promise<ViteUserConfig> => {
  // npm scripts set no variables: shells differ in how.
  if (mode === "full" || mode === "weekly") process.env.TEST_SIZE = mode;
  const { isFull } = await import("./test/support/sizes.js");
  return {
    test: {
      name: process.env.TEST_SIZE || "quick",
      include: ["test/**/*.test.ts"],
      exclude: ["test/frameworks/**", ...(isFull ? [] : ["**/*.full.test.ts"])], // those run in their front-ends
      isolate: false, // the files of a worker share what they load: to load it anew for each takes a third of the time
      testTimeout: 120_000,
      hookTimeout: 180_000,
      expect: { poll: { timeout: 60_000 } }, // ends with the event: the limit is for machines under load
      maxWorkers: isFull ? 3 : 2, // many tests of the full suite wait for programs to start
      sequence: { sequencer: LongestFirst },
      setupFiles: "./test/support/processor-time.ts",
      reporters: ["default", "./test/support/run-summary.ts", ["junit", { outputFile: "test-results/tests.xml" }]],
      // Counts nothing of what runs in a child process or a browser. The quick size runs few laws of verify.
      coverage: {
        include: ["src/**/*.ts"],
        exclude: [
          "src/**/*.gen.ts",
          "src/pages/console/**",
          "src/pages/script/**",
          "src/browser/preview/**",
          "src/build/**",
          "src/cli.ts",
        ],
        reporter: ["text-summary", "html", "json-summary"],
        thresholds: { statements: 92, branches: 86, functions: 92, lines: 93 },
      },
    },
  };
});
