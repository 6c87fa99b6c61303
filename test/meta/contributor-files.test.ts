// What a contributor's tools and CI read agrees with package.json.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { satisfies } from "semver";
import { expect, test } from "vitest";
import { parse } from "yaml";
import manifest from "../../package.json" with { type: "json" };
import { ROOT } from "../support/command.js";

const readText = (path: string) => readFileSync(join(ROOT, path), "utf8");
const [, FLOOR = ""] = /^>=(\d+\.\d+)$/.exec(manifest.engines.node) ?? [];

test(".nvmrc names the oldest Node that is supported", () => {
  expect(readText(".nvmrc").trim()).toBe(FLOOR);
});

test("the GitHub workflow calls .ci/run on that Node and on later lines, and keeps the reports", () => {
  const { test: job } = parse(readText(".github/workflows/ci.yml")).jobs;
  const versions: string[] = job.strategy.matrix.node;
  expect(versions[0]).toBe(FLOOR);
  expect(versions).toEqual([FLOOR, "22", "24"]);
  for (const version of versions.slice(1)) expect(satisfies(`${version}.12.0`, manifest.engines.node)).toBe(true);
  const steps: { run?: string; uses?: string; if?: string; with?: { path?: string } }[] = job.steps;
  const runs = steps.flatMap(({ run }) => run ?? []);
  expect(runs.at(-1)).toBe(".ci/run");
  expect(existsSync(join(ROOT, ".ci/run"))).toBe(true);
  const upload = steps.find(({ uses }) => uses?.startsWith("actions/upload-artifact@"));
  expect(upload?.if).toBe("always()");
  expect(upload?.with?.path?.split("\n")).toEqual(["test-results", "coverage"]);
  for (const folder of ["test-results/", "coverage/"]) expect(readText(".gitignore").split("\n")).toContain(folder);
});
