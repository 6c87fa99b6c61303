// Few stations: a reader follows one request through few of our files. `node test/support/stations.js` lists them.
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { ROOT } from "../support/command.js";

const MAX_FILES = { PATCH: 28, GET: 26 };

test("a PATCH and a GET run through few files", () => {
  const output = execFileSync(process.execPath, ["test/support/stations.js"], { cwd: ROOT, encoding: "utf8" });
  const stations: Record<string, { files: number; list: Record<string, number> }> = JSON.parse(output);
  expect(Object.keys(stations)).toEqual(Object.keys(MAX_FILES));
  for (const [name, most] of Object.entries(MAX_FILES)) {
    expect(stations[name]?.list).toHaveProperty(["api/call-operation.ts"]);
    expect(stations[name]?.files, JSON.stringify(stations[name]?.list, null, 2)).toBeLessThanOrEqual(most);
  }
});
