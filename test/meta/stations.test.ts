// A request runs through few files, none of them long. `node test/support/stations.js` lists them.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../support/command.js";

const MAX_FILES = { PATCH: 18, GET: 17 };
const MAX_LINES = 300;

test("a PATCH and a GET run through few files", () => {
  const output = execFileSync(process.execPath, ["test/support/stations.js"], { cwd: ROOT, encoding: "utf8" });
  const stations: Record<string, { files: number; list: Record<string, number> }> = JSON.parse(output);
  expect(Object.keys(stations)).toEqual(Object.keys(MAX_FILES));
  for (const [name, most] of Object.entries(MAX_FILES)) {
    expect(stations[name]?.list).toHaveProperty(["core/operations/call-operation.ts"]);
    expect(stations[name]?.files, JSON.stringify(stations[name]?.list, null, 2)).toBeLessThanOrEqual(most);
  }
});

test("no file is long", () => {
  const files = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" }).filter((path) =>
    /(?<!\.gen)\.[jt]s$/.test(path),
  );
  const long = files.filter((path) => readFileSync(join(ROOT, "src", path), "utf8").split("\n").length - 1 > MAX_LINES);
  expect(long).toEqual([]);
});
