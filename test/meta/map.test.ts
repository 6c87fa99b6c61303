// src/README.md is true: its folders and links exist, and it lists the steps of app.ts.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Express } from "express";
import pino from "pino";
import { describe, expect, test } from "vitest";
import { loadContract } from "../../src/contract/contract.js";
import type { Operation } from "../../src/contract/model.js";
import { createExecuteOperation } from "../../src/core/operations/call-operation.js";
import type { Exchange } from "../../src/core/operations/exchange.js";
import { createValidateRequest } from "../../src/core/operations/validate-request.js";
import { type OperationParts, stepsOf } from "../../src/core/request-steps.js";
import { createMockApp } from "../../src/mock/mock-server.js";
import { ROOT } from "../support/command.js";
import { API_KEY, createReference } from "../support/reference.js";

const MAP = readFileSync(join(ROOT, "src/README.md"), "utf8");
const section = (heading: string) => MAP.split(/^## /m).find((text) => text.startsWith(heading)) ?? "";

/** The steps of an operation that the mock has, too. */
const OF_OPERATIONS = ["readBody", "validateRequest", "preferOrFault"];

/** The control plane is mounted at a path, and the pages are a router. */
function namesBeforeOperations({ router }: Express): (string | undefined)[] {
  const names = router.stack.map(({ name, route }) => (route ? route.stack[0]?.name : name));
  return names.slice(0, names.indexOf("handleOperation")).map((name) => (name === "router" ? "publicPages" : name));
}

describe("the source map", () => {
  test("lists every folder of src, and each path that it lists exists", () => {
    const rows = [...section("Rooms").matchAll(/^\| (`.*?`) \|/gm)].map(([, cell = ""]) => cell);
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
    const names = [...MAP.matchAll(/^\d+\. `(\w+)`/gm)].map(([, name]) => name);
    const { app, contract } = await createReference();
    const update = contract.model.operations.find(({ body }) => body !== undefined) as Operation;
    const steps = stepsOf(update, {
      readBody: function readBody() {},
      validateRequest: createValidateRequest(contract, update, () => expect.unreachable("nothing is validated")),
      toDigest: String,
      responses: () => [],
      executeOperation: createExecuteOperation(update, { plan: "free" }),
    } as OperationParts<Exchange>);
    expect(names).toEqual([...namesBeforeOperations(app), ...steps.map(({ name }) => name)]);
    expect(app.router.stack.at(-1)?.name).toBe("handleError");
  });

  test("lists the steps that the mock runs", async () => {
    const contract = await loadContract();
    const prism = { isDynamic: false, generate: () => expect.unreachable("no request is sent") };
    const app = createMockApp({ contract, prism, apiKey: API_KEY, log: pino({ level: "silent" }) });
    const steps = new Map([...MAP.matchAll(/^(\d+)\. `(\w+)`/gm)].map(([, number = "", name]) => [number, name]));
    const [, numbers = ""] = /The mock runs ([\d, and]+) and ends with `generateResponse`/.exec(MAP) ?? [];
    const shared = [...numbers.matchAll(/\d+/g)].map(([number]) => steps.get(number));
    const before = ["rejectControl", ...shared.filter((name) => !OF_OPERATIONS.includes(name ?? ""))];
    expect(namesBeforeOperations(app).toSorted()).toEqual(before.toSorted());
    expect(shared).toEqual(expect.arrayContaining(OF_OPERATIONS));
  });
});
