// What a server says at its start, as text and for programs.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { formatStartJson, formatStartMessage } from "../../src/cli/start-message.js";
import { startServer } from "../../src/start-server.js";

const started = { url: "http://127.0.0.1:4010", apiKey: "demo-key", hasControl: true, facts: { State: "in memory" } };
const requestsOf = (text: string) => text.match(/curl (?:.*\\\n)*.*/g) ?? [];

test("shows the pages, and requests that succeed", async () => {
  const server = await startServer();
  onTestFinished(server.close);
  const text = formatStartMessage("reference server", { ...started, url: server.url });
  expect(text).toMatch(
    /^ {2}Console {3}http:\S+\/console\n {2}URL {7}http:\S+\n {2}API key {3}demo-key\n.*State {5}in/ms,
  );
  const requests = requestsOf(text);
  expect(requests).toHaveLength(2);
  for (const request of requests) {
    const { stdout } = await promisify(execFile)("bash", [
      "-c",
      request.replace("curl ", "curl -sS -w '%{http_code}' "),
    ]);
    expect(stdout.slice(-3)).toBe("200");
  }
});

test("shows requests of operations that the contract has, no other key than the built-in one, and pages that exist", () => {
  const implementation = { implemented: ["PATCH /v2/subscribers/{subscriberId}/preferences"], mocked: [] };
  const own = { ...started, apiKey: "a-key-that-nobody-sees", hasControl: false };
  const text = formatStartMessage("mock", { ...own, implementation: implementation as never });
  expect(requestsOf(text)).toEqual([expect.stringContaining("/preferences'")]);
  expect(text).toContain("API key   as configured");
  expect(text).not.toMatch(/nobody-sees|\/console/);
  expect(JSON.parse(formatStartJson(own, undefined))).toEqual({
    url: own.url,
    pages: {
      home: `${own.url}/`,
      docs: `${own.url}/docs`,
      contract: `${own.url}/openapi.yaml`,
      health: `${own.url}/health`,
    },
  });
});
