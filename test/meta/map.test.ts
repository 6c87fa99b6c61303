// src/README.md is true: its folders and links exist, and it lists the steps of a request.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Express } from "express";
import pino from "pino";
import { describe, expect, test } from "vitest";
import { createMockApp } from "../../src/mock/mock-server.js";
import { ROOT } from "../support/command.js";
import { contract } from "../support/contract.js";
import { API_KEY, createReference } from "../support/reference.js";

const MAP = readFileSync(join(ROOT, "src/README.md"), "utf8");
const section = (heading: string) => MAP.split(/^## /m).find((text) => text.startsWith(heading)) ?? "";

/** The control plane is mounted at a path, and the pages are a router. */
function middlewareOf({ router }: Express): (string | undefined)[] {
  const names = router.stack.map(({ name, route }) => (route ? route.stack[0]?.name : name));
  return names.slice(0, -1).map((name) => (name === "router" ? "publicPages" : name));
}

describe("the source map", () => {
  test("lists every folder of src, and each path that it lists exists", () => {
    const rows = [...section("Rooms").matchAll(/^\| (`.*?`) \|/gm)].map(([, cell = ""]) => cell);
    const paths = rows.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, path = ""]) => path));
    const folders = readdirSync(join(ROOT, "src"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(paths).toEqual(expect.arrayContaining(folders.map(({ name }) => `${name}/`)));
    for (const path of paths) expect(existsSync(join(ROOT, "src", path)), path).toBe(true);
  });

  test("the folders of `test` that CONTRIBUTING.md lists exist", () => {
    const guide = readFileSync(join(ROOT, "CONTRIBUTING.md"), "utf8");
    const [, table = ""] = /^\| folder of `test` .*\n((?:\|.*\n)+)/m.exec(guide) ?? [];
    const folders = [...table.matchAll(/^\|(.*?)\|/gm)].flatMap(([, cell = ""]) => cell.match(/[\w/]+/g) ?? []);
    expect(folders.length).toBeGreaterThan(5);
    for (const folder of folders) expect(existsSync(join(ROOT, "test", folder)), folder).toBe(true);
  });

  test("its links lead somewhere", () => {
    const links = [...MAP.matchAll(/\]\(([^)]+)\)/g)].map(([, target = ""]) => target);
    expect(links.length).toBeGreaterThan(5);
    for (const path of links) expect(existsSync(join(ROOT, "src", path)), path).toBe(true);
  });

  test("gives the path of a request by the names and in the order of app.ts and handle.ts", async () => {
    const names = [...MAP.matchAll(/^\d+\. `(\w+)`/gm)].map(([, name]) => name);
    const { app } = await createReference();
    const source = readFileSync(join(ROOT, "src/core/request/handle.ts"), "utf8");
    const [, body = ""] = /^export async function handleRequest[^{]*{\n(.*?)^}/ms.exec(source) ?? [];
    const steps = [...body.matchAll(/(\w+)\(exchange[,)]|execute\(/g)].map(([, name = "execute"]) => name);
    expect(names).toEqual([...middlewareOf(app), ...steps]);
    expect(app.router.stack.at(-1)?.name).toBe("handleError");
  });

  test("says what the mock has in the place of the control plane", async () => {
    const prism = { isDynamic: false, generate: () => expect.unreachable("no request is sent") };
    const app = createMockApp({ contract, prism, apiKey: API_KEY, log: pino({ level: "silent" }) });
    const { app: reference } = await createReference();
    const own = middlewareOf(app);
    expect(own.toSorted()).toEqual(
      middlewareOf(reference)
        .map((name) => (name === "controlPlane" ? "rejectControl" : name))
        .toSorted(),
    );
    expect(MAP).toMatch(/mock[^.]*`rejectControl` instead of 2/);
  });
});
