import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 120_000,
    hookTimeout: 180_000,
    maxWorkers: 2, // many tests wait for servers to start: one after the other they take twice as long
    reporters: ["default", "./test/support/closing-line.ts"],
  },
});
