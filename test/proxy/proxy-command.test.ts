// The command's usage. What it does as a program is in proxy-command.full.test.ts.
import { describe, expect, test } from "vitest";
import { createProxyCommand } from "../../src/proxy/proxy-command.js";
import { runInProcess } from "../support/in-process.js";

describe("proxy", () => {
  test.each<[string, string[], RegExp]>([
    ["no upstream", [], /required option '--upstream <url>' not specified/],
    ["an upstream that is no URL", ["--upstream", "x"], /^The upstream must be an http or https URL/],
    [
      "an upstream with a password",
      ["--upstream", "http://user:secret@a.example"],
      /^(?!.*secret).*Credentials belong/,
    ],
    ["a header that is none", ["--upstream", "http://a.example", "--allow-header", "a b"], /the name of a header/],
    ["a port that is none", ["--upstream", "http://a.example", "--port", "x"], /number from 0 to 65535/],
    [
      "a direction that is none",
      ["--upstream", "http://a.example", "--fail-on", "x"],
      /request, response, both, any, never/,
    ],
    [
      "a report that cannot be",
      ["--upstream", "http://a.example", "--report", "/no/such"],
      /Use another file for --report/,
    ],
    ...["/no/such/seed.json", "/"].map((path): [string, string[], RegExp] => [
      `a recording in ${path}`,
      ["--upstream", "http://a.example", "--record", path],
      /The recording cannot be written: .*Use another file for --record/,
    ]),
    ["--keep without a recording", ["--upstream", "http://a.example", "--keep", "email"], /give --record, too/],
    [
      "a contract that is not there",
      ["--upstream", "http://a.example", "--contract", "/no/such"],
      /\/no\/such cannot be read/,
    ],
  ])("%s › 2", async (_title, options, message) => {
    const { code, stdout, stderr } = await runInProcess(createProxyCommand(), ...options);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(message);
  });

  test("--help shows examples", async () => {
    const { code, stdout } = await runInProcess(createProxyCommand(), "--help");
    expect(code).toBe(0);
    expect(stdout).toContain("notifications-contract proxy --upstream http://127.0.0.1:4010\n");
  });
});
