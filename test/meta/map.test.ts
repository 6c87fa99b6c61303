// src/README.md is true: its folders and links exist, and its path of a request is the one of app.ts.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pino from "pino";
import { describe, expect, test } from "vitest";
import { loadContract } from "../../src/contract/contract.js";
import { createMockApp } from "../../src/mock/mock-server.js";
import { ROOT } from "../support/command.js";
import { API_KEY, createReference } from "../support/reference.js";

const MAP = readFileSync(join(ROOT, "src/README.md"), "utf8");
const section = (heading: string) => MAP.split(/^## /m).find((text) => text.startsWith(heading)) ?? "";

describe("the source map", () => {
  test("lists every folder of src, and each path that it lists exists", () => {
    const rows = [...section("Folders").matchAll(/^\| (`.*?`) \|/gm)].map(([, cell = ""]) => cell);
    const paths = rows.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, path = ""]) => path));
    const folders = readdirSync(join(ROOT, "src"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(paths).toEqual(expect.arrayContaining(folders.map(({ name }) => `${name}/`)));
    for (const path of paths) expect(existsSync(join(ROOT, "src", path)), path).toBe(true);
  });

  test("its links lead somewhere", () => {
    const links = [...MAP.matchAll(/\]\(([^)]+)\)/g)].map(([, target = ""]) => target);
    expect(links.length).toBeGreaterThan(5);
    for (const path of links) expect(existsSync(join(ROOT, "src", path)), path).toBe(true);
  });

  test("gives the path of a request by the names and in the order of app.ts", async () => {
    const steps = [...MAP.matchAll(/^\d+\. `(\w+)`/gm)].map(([, name]) => name);
    const { app } = await createReference();
    const { stack } = app.router;
    const [first] = stack.filter(({ route }) => route !== undefined);
    const before = stack.slice(0, first ? stack.indexOf(first) : 0).map(({ name }) => name);
    const within = first?.route?.stack.map(({ name }) => name) ?? [];
    expect(steps).toEqual([...before, ...within]);
    expect(stack.at(-1)?.name).toBe("handleError");
  });

  test("says which of these steps the mock runs", async () => {
    const contract = await loadContract();
    const prism = { isDynamic: false, generate: () => expect.unreachable("no request is sent") };
    const { stack } = createMockApp({ contract, prism, apiKey: API_KEY, log: pino({ level: "silent" }) }).router;
    const [first] = stack.filter(({ route }) => route !== undefined); // the update: it has a body
    const names = [...stack.slice(0, first ? stack.indexOf(first) : 0), ...(first?.route?.stack ?? [])].map(
      ({ name }) => name,
    );
    const steps = new Map([...MAP.matchAll(/^(\d+)\. `(\w+)`/gm)].map(([, number = "", name]) => [number, name]));
    const [, numbers = ""] = /The mock runs ([\d, and]+) and ends with `generateResponse`/.exec(MAP) ?? [];
    const shared = [...numbers.matchAll(/\d+/g)].map(([number]) => steps.get(number));
    expect([...shared, "generateResponse", "rejectControl"].toSorted()).toEqual(names.toSorted());
  });

  test("its glossary has at most twelve terms", () => {
    const terms = [...section("Glossary").matchAll(/^\| (?!term|---)([\w ]+) \|/gm)];
    expect(terms.length).toBeGreaterThan(0);
    expect(terms.length).toBeLessThanOrEqual(12);
  });
});
