// A broken contract stops the start with file, line and reason.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadContract } from "../../src/contract/contract.js";
import { CONTRACT_PATH, CONTROL_CONTRACT_PATH, parseContractFile } from "../../src/contract/contract-file.js";
import { ContractError } from "../../src/contract/openapi-document.js";
import { loadContractText } from "../support/contract-text.js";
import { createRepository } from "../support/git-repository.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";

const { text } = loadContractText();

const ITEMS = 'items: { $ref: "#/components/schemas/Notification" }';
const KEY = '        - $ref: "#/components/parameters/idempotencyKey"\n';
const PARAMETER = `        - $ref: "#/components/parameters/subscriberId"\n${KEY}`;
const REQUIRED = "required: [_environmentId, _organizationId, _subscriberId, transactionId]";
const TITLE = "  title: Subscriber Preferences and Notification Listing\n";
const ID = "      operationId: ";
const LIMIT = "      name: limit\n      in: query\n";

describe("a broken contract", () => {
  test.each<[string, string, string, RegExp]>([
    ["not YAML", "openapi: 3.1.1", "openapi: [3.1.1", /must be sufficiently indented and end with a \]/],
    ["a repeated key", TITLE, `${TITLE}${TITLE}`, /:\d+: the name title occurs twice/],
    ["another version of OpenAPI", "openapi: 3.1.1", "openapi: 3.0.3", /must be an OpenAPI 3\.1 document/],
    ["no title", TITLE, "", /info › title is required/],
    ["a place that is not OpenAPI", LIMIT, LIMIT.replace("query", "trail"), /parameters › limit/],
    ["a reference that leads nowhere", ITEMS, ITEMS.replace("Notification", "Gone"), /\$ref \S+\/Gone leads nowhere/],
    ["an undeclared path parameter", PARAMETER, KEY, /path parameter subscriberId is not declared/],
    ["a bad pattern", "[0-9a-f]{24}$", "[0-9a-f{24}$", /ObjectId is an invalid schema: Invalid regular expression/],
    ["an unknown type", "hasMore: { type: boolean,", "hasMore: { type: bool,", /properties › hasMore › type .*bool/],
    ["`required` that is no list", "hasMore: { ", "hasMore: { required: true, ", /hasMore › required/],
    ["the same behind a reference", REQUIRED, "required: true", /schemas › Notification › required/],
    ["no slash", "\n  /v1/notifications:", "\n  v1/notifications:", /v1\/notifications must begin with a slash/],
    ["an invalid status", '\n        "402":', '\n        "4O2":', /4O2 must be a status/],
    ["a repeated operationId", `\n${ID}listNotifications`, `\n${ID}updatePreferences`, /declared twice/],
    ["an undeclared scheme", "\n  - apiKey: []", "\n  - token: []", /the security scheme token is not declared/],
  ])("%s", async (_title, original, replacement, reason) => {
    expect(text).toContain(original);
    const path = join(await createTemporaryFolder(), "broken.yaml");
    await writeFile(path, text.replace(original, replacement));
    const error = await loadContract(path).catch((failure: unknown) => failure);
    expect(error).toBeInstanceOf(ContractError);
    const { message } = error as ContractError;
    expect(message).toMatch(reason);
    const line = Number(/^.*broken\.yaml:(\d+): /.exec(message)?.[1]);
    const expectedLine = text.slice(0, text.indexOf(original)).split("\n").length;
    expect(Math.abs(line - expectedLine), `line ${line}, the fault is near ${expectedLine}`).toBeLessThan(20);
  });

  const repeat = (from: string, to: string) => `${to}: &${to} [${`*${from},`.repeat(50)}]\n`;
  test.each([
    ["to itself", "info: &info { title: *info }", "leads to itself"],
    ["nowhere", "info: *info", /:2: there is no anchor &info before/],
    [
      "to too much",
      `a: &a [1]\n${repeat("a", "b")}${repeat("b", "c")}${repeat("c", "d")}${repeat("d", "e")}`,
      "repeat more than",
    ],
  ])("an alias that leads %s", async (_title, lines, reason) => {
    const path = join(await createTemporaryFolder(), "alias.yaml");
    await writeFile(path, `openapi: 3.1.1\n${lines}\n`);
    await expect(loadContract(path)).rejects.toThrow(ContractError);
    await expect(loadContract(path)).rejects.toThrow(reason);
  });

  test("a file that is not there", async () => {
    await expect(loadContract("/nowhere/none.yaml")).rejects.toThrow(
      /none\.yaml cannot be read: there is no such file/,
    );
  });
});

test("a contract of a git revision is read from that revision", async () => {
  const folder = await createTemporaryFolder();
  await writeFile(join(folder, "openapi.yaml"), "openapi: 3.1.1\ninfo: { title: Cups, version: 1.0.0 }\npaths: {}\n");
  createRepository(folder, "proposal");
  await writeFile(join(folder, "openapi.yaml"), "broken: [");
  for (const name of ["proposal:openapi.yaml", "HEAD:./openapi.yaml"]) {
    const { file, document } = await loadContract(name, folder);
    expect([file.path, document.info.title]).toEqual([name, "Cups"]);
  }
  const failures: [name: string, message: RegExp][] = [
    ["nowhere:openapi.yaml", /git has no nowhere:openapi\.yaml: .* Choose a branch \(git branch --all\)/],
    ["proposal:none.yaml", /git has no proposal:none\.yaml: .* git ls-tree -r --name-only proposal\./],
  ];
  for (const [name, message] of failures) await expect(loadContract(name, folder)).rejects.toThrow(message);
  await expect(loadContract("--help:openapi.yaml", folder)).rejects.toThrow(/cannot be read/);
});

test.each([CONTRACT_PATH, CONTROL_CONTRACT_PATH])(
  "%s, which the build has checked, has the value of its text",
  async (path) => {
    expect((await loadContract(path)).file.value).toEqual(parseContractFile(loadContractText(path)).value);
  },
);
