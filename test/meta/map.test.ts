// src/README.md is true: its files are there, the server's files are all in it, and its path of a request is app.ts's.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT } from "../support/command.js";
import { createReference } from "../support/reference.js";

const MAP = readFileSync(join(ROOT, "src/README.md"), "utf8");
const FOLDERS = ["contract", "control", "domain", "http", "store"];

describe("the map", () => {
  const listed = [...MAP.matchAll(/^\| (`.*?`) \|/gm)].flatMap(([, cell = ""]) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, path]) => path ?? ""),
  );

  test.each(FOLDERS)("lists every file of %s, and none that is not there", (folder) => {
    const files = readdirSync(join(ROOT, "src", folder)).map((file) => `${folder}/${file}`);
    expect(listed.filter((path) => path.startsWith(`${folder}/`)).toSorted()).toEqual(files.toSorted());
  });

  test("its other files and links lead somewhere", () => {
    const links = [...MAP.matchAll(/\]\(([^)]+)\)/g)].map(([, target]) => target ?? "");
    for (const path of [...listed, ...links]) expect(existsSync(join(ROOT, "src", path)), path).toBe(true);
    const folders = readdirSync(join(ROOT, "src"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    for (const { name } of folders) expect(MAP).toContain(`${name}/`);
  });

  test("gives the path of a request in its order", async () => {
    const steps = [...MAP.matchAll(/^\d+\. `(\w+)`/gm)].map(([, name]) => name);
    const { app } = await createReference();
    const { stack } = app.router;
    const [first] = stack.filter(({ route }) => route !== undefined);
    const before = stack.slice(0, first ? stack.indexOf(first) : 0).map(({ name }) => name);
    const within = first?.route?.stack.map(({ name }) => name) ?? [];
    expect(steps).toEqual([...before, ...within]);
    expect(stack.at(-1)?.name).toBe("answerError");
  });
});
