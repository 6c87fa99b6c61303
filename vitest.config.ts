// Two suites: `npm test` runs the projects `quick` and `isolated`, `npm run test:full` the project `full`, which has the
// files `*.full.test.ts` and, with TEST_SIZE=full, those whose size differs between the two.
import { readdirSync, readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";
import LongestFirst, { LONGEST } from "./test/support/longest-first.js";
import { isFull } from "./test/support/sizes.js";

/** Those that put other modules in the place of real ones, which other files would find as well. */
export const MOCKING = [
  "test/server/store/failing-disk.test.ts",
  "test/server/store/histories.test.ts",
  "test/server/store/power-cut.test.ts",
];

const suite = isFull ? "full" : "quick";
const files = readdirSync("test", { recursive: true, encoding: "utf8" })
  .map((path) => `test/${path.replaceAll("\\", "/")}`)
  .filter((path) => path.endsWith(".test.ts"));
const missing = LONGEST.filter((path) => !files.includes(path));
if (missing.length > 0) throw new Error(`test/support/longest-first.ts names files that do not exist: ${missing}`);
const sized = files.filter((path) => readFileSync(path, "utf8").includes('/support/sizes.js"'));
const full = files.filter(
  (path) => path.endsWith(".full.test.ts") || (isFull && sized.includes(path) && !MOCKING.includes(path)),
);
const isolated = isFull ? MOCKING.filter((path) => sized.includes(path)) : MOCKING;
const quick = files.filter((path) => !full.includes(path) && !MOCKING.includes(path));

export default defineConfig({
  test: {
    testTimeout: 120_000,
    hookTimeout: 180_000,
    maxWorkers: isFull ? 3 : 2, // many tests of the full suite wait for programs to start
    sequence: { sequencer: LongestFirst },
    setupFiles: "./test/support/processor-time.ts",
    reporters: ["default", "./test/support/run-summary.ts", ["junit", { outputFile: `test-results/${suite}.xml` }]],
    projects: [
      // Files of one worker share what they load: to load it anew for each takes a third of the time.
      { extends: true, test: { name: "quick", include: quick, isolate: false } },
      { extends: true, test: { name: "isolated", include: isolated } },
      {
        extends: true,
        test: { name: "full", include: full, isolate: false, globalSetup: "./test/support/fresh-build.ts" },
      },
    ],
    // `npm run test:coverage`. Of what runs in a child process, a browser or the full suite, it counts nothing.
    coverage: {
      include: ["src/**/*.ts"],
      exclude: [
        "src/**/*.gen.ts",
        "src/pages/console/**",
        "src/pages/docs-page/**",
        "src/browser/preview/**",
        "src/build/**",
        "src/cli.ts",
      ],
      reporter: ["text-summary", "html", "json-summary"],
      thresholds: { statements: 94, branches: 86, functions: 94, lines: 96 },
    },
  },
});
