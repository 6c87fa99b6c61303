// Where a contract is read from: a file, a git revision, or what the build has checked.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadContract } from "../../src/contract/contract.js";
import { CONTRACT_PATH, CONTROL_CONTRACT_PATH, parseContractFile } from "../../src/contract/contract-file.js";
import { loadContractText } from "../support/contract-text.js";
import { createRepository } from "../support/git-repository.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";

test("a file that is not there", async () => {
  await expect(loadContract("/nowhere/none.yaml")).rejects.toThrow(/none\.yaml cannot be read: there is no such file/);
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
