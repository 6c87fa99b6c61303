// The client's size in a front-end: bundled, minified, compressed as by a web server.
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";
import { expect, test } from "vitest";

const MAX_BYTES = 7_100;

test("the client is small, and holds nothing but itself, openapi-fetch and leven", async () => {
  const built = await rolldown({ input: "src/browser/client/client.ts", platform: "browser" });
  const { output } = await built.generate({ format: "esm", minify: true });
  await built.close();
  const [{ code, moduleIds }, ...others] = output;
  expect(others).toEqual([]);
  expect(moduleIds.map((id) => id.replace(/^.*(?:src|node_modules)\//, ""))).toEqual([
    "openapi-fetch/dist/index.mjs",
    "contract/json.ts",
    "core/domain/random.ts",
    "leven/index.js",
    "contract/nearest-name.ts",
    "core/options.ts",
    "core/request/prefer-hint.ts",
    "browser/client/pages.ts",
    "core/domain/clock.ts",
    "browser/client/result.ts",
    "browser/client/client.ts",
  ]);
  const bytes = gzipSync(code, { level: 9 }).length;
  expect(bytes).toBeLessThan(MAX_BYTES);
  const [, said] = /client is ([\d.]+) kB/.exec(readFileSync("README.md", "utf8")) ?? [];
  expect(said).toBe((bytes / 1000).toFixed(1));
});
