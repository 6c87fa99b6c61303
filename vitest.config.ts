import { defineConfig } from "vitest/config";

const EVERYTHING = "test/**/*.test.ts";
/** Those that put other modules in the place of real ones, which other files would find as well. */
export const MOCKING = ["test/store/failing-disk.test.ts"];

export default defineConfig({
  test: {
    testTimeout: 120_000,
    hookTimeout: 180_000,
    maxWorkers: 2, // many tests wait for servers to start: one after the other they take twice as long
    reporters: ["default", "./test/support/closing-line.ts"],
    projects: [
      // Files of one worker share what they load: to load it anew for each takes a third of the time.
      { extends: true, test: { name: "shared", include: [EVERYTHING], exclude: MOCKING, isolate: false } },
      { extends: true, test: { name: "mocking", include: MOCKING } },
    ],
    // `npm run coverage`. Of what tests run in a child process or a browser, V8 counts nothing.
    coverage: {
      include: ["src/**/*.ts"],
      exclude: ["src/**/*.gen.ts", "src/console/**", "src/cli.ts"],
      reporter: ["text-summary", "html", "json-summary"],
    },
  },
});
