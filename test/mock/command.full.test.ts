import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CONTRACT_PATH } from "../../src/contract/contract-file.js";
import { CLI, type Running, run, runToEnd, stop } from "../support/command.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";

interface RunningCommand extends Running {
  url: string;
}

async function mock(args: string[]): Promise<RunningCommand> {
  const running = run(process.execPath, [CLI, "mock", "--port", "0", ...args]);
  const [, url = ""] = await running.printed(/URL +(http\S+)/);
  return { ...running, url };
}

describe("mock", () => {
  test("says where it is and how to ask it; stops without a trace", async () => {
    const running = await mock([]);
    const lines = running.output().match(/curl (?:.*\\\n)*.*/g) ?? [];
    expect(lines).toHaveLength(2);
    for (const line of lines) {
      const { output } = await runToEnd("bash", ["-c", line.replace("curl ", "curl -sS -w '%{http_code}' ")]);
      expect(output.slice(-3)).toBe("200");
    }
    expect(await stop(running)).toBe(0);
  });

  test("names requests of operations that its contract has, and no others", async () => {
    const path = join(await createTemporaryFolder(), "openapi.yaml");
    await writeFile(path, (await readFile(CONTRACT_PATH, "utf8")).replace("  /v1/notifications:", "  /v1/messages:"));
    const running = await mock(["--contract", path]);
    await running.printed(/Ctrl-C/);
    expect(running.output().match(/curl .*\\\n.*/g)).toEqual([expect.stringContaining("/preferences'")]);
    expect(await stop(running)).toBe(0);
  });
});
