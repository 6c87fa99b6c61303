// The command as a shell runs it: its output and exit code.
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { CLI, ROOT, type Running, run, signalUntilEnded, stop } from "../../support/command.js";
import { createRepository } from "../../support/git-repository.js";
import { listen } from "../../support/listen.js";
import { createTemporaryFolder } from "../../support/temporary-folder.js";
import { AUTHORIZED, KEY, list, PAGE, responding, watch } from "./proxied.js";

const CERTIFICATE = fileURLToPath(new URL("localhost.pem", import.meta.url));

async function startUpstream(listener: RequestListener, server: Server = createServer()): Promise<string> {
  server.on("request", listener);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return listen(server);
}

async function startCommand(
  upstream: string,
  options: string[] = [],
  env: Record<string, string> = {},
  cwd = ROOT,
): Promise<Running & { url: string }> {
  const all = [CLI, "proxy", "--upstream", upstream, "--port", "0", ...options];
  const running = run(process.execPath, all, { env, cwd });
  onTestFinished(() => void running.child.kill("SIGKILL"));
  const [, url = ""] = await running.printed(/up at (\S+),/);
  return { ...running, url };
}

const badResponse = responding({ ...PAGE, [KEY]: 1 });

describe("proxy", () => {
  test("--mock-missing responds instead of the upstream, by a contract in a git revision", async () => {
    const folder = await createTemporaryFolder();
    const contract = readFileSync(join(ROOT, "openapi.yaml"), "utf8");
    const operation = `    get:
      operationId: getPreferences
      parameters: [{ $ref: "#/components/parameters/subscriberId" }]
      responses: { 200: { description: "-", content: { application/json: { schema: { const: mocked } } } } }
`;
    writeFileSync(join(folder, "openapi.yaml"), contract.replace("    patch:\n", `${operation}    patch:\n`));
    createRepository(folder, "proposal");
    const upstream = await startUpstream(responding());
    const options = ["--contract", "proposal:openapi.yaml", "--mock-missing", "getPreferences"];
    const running = await startCommand(upstream, options, {}, folder);
    const mocked = await fetch(`${running.url}/v2/subscribers/ada/preferences`, { headers: AUTHORIZED });
    expect([mocked.headers.get("x-mocked"), await mocked.json()]).toEqual(["missing-upstream", "mocked"]);
    expect((await list(running)).headers.get("x-mocked")).toBe(null);
    expect(await stop(running)).toBe(0);
    expect(running.output()).toMatch(/getPreferences/);
  });

  test("reports on the terminal, line by line and as a comment, without keys or colours, and exits with 1", async () => {
    const folder = await createTemporaryFolder();
    const [report, markdown, json] = ["violations.jsonl", "new/proxy.md", "proxy.json"].map((name) =>
      join(folder, name),
    ) as [string, string, string];
    writeFileSync(report, "{}\n"); // of an earlier run
    const upstream = await startUpstream(badResponse);
    const options = ["--report", report, "--markdown", markdown, "--json", json, "--fail-on", "response"];
    const running = await startCommand(upstream, options, { NO_COLOR: "1" });
    await (await list(running, `?limit=0&key=${KEY}`)).text();
    await running.printed(/body\.\[redacted\]/); // live: while it runs
    const lines = readFileSync(report, "utf8").trimEnd().split("\n").slice(1);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { kind: "violation", exchange: 1, direction: "request", location: "query.key", decision: "D-28" },
      { kind: "violation", exchange: 1, direction: "request", location: "query.limit", clause: "§4.2" },
      { kind: "violation", exchange: 1, direction: "response", location: "status", decision: "D-28" },
      { kind: "violation", exchange: 1, direction: "response", location: "body.[redacted]", decision: "D-23" },
    ]);
    expect(await stop(running)).toBe(1);
    expect(running.output()).toContain(
      [
        "✗ response  listNotifications  #1",
        "  GET /v1/notifications?limit=0&key=[redacted] → 200",
        "  body.[redacted]  is unknown",
        "  by D-23",
      ].join("\n"),
    );
    expect(running.output()).toContain("1 request: 2 violations in requests, 2 in responses.\n");
    const written = [report, markdown, json].map((path) => readFileSync(path, "utf8")).join("");
    expect(written).toMatch(/\d causes: \d in your server, \d in your client/);
    expect(JSON.parse(readFileSync(json, "utf8"))).toMatchObject({ requests: 1, causes: [{ exchanges: 1 }, {}, {}] });
    expect(running.output() + written).not.toContain(KEY);
    expect(running.output()).not.toContain("\u001b");
  });

  test("--quiet prints the summary alone; --fail-on request ignores responses", async () => {
    const running = await startCommand(await startUpstream(badResponse), ["--quiet"], { NC_FAIL_ON: "request" });
    await (await list(running)).text();
    running.child.kill("SIGINT");
    expect(await running.ended).toBe(0);
    expect(running.output()).not.toContain("  by D-23");
    expect(running.output()).toMatch(
      /✗ response {2}listNotifications {2}body\.\[redacted\] is unknown: .*\n1 cause: 1 in your server\.\n1 request: 0/,
    );
  });

  test("an upstream that hangs fails the run", async () => {
    const upstream = createServer();
    const running = await startCommand(await startUpstream(() => {}, upstream), ["--fail-on", "response"]);
    const response = list(running).catch(() => {});
    await once(upstream, "request"); // and there is never a response
    expect(await stop(running)).toBe(1);
    expect(running.output()).toContain("connection  the upstream sent no response: the proxy stopped before it came");
    await response;
  });

  test("in front of an https upstream that it trusts; one that it does not is reported", async () => {
    const certificate = readFileSync(CERTIFICATE);
    const tls = createTlsServer({ cert: certificate, key: certificate });
    const upstream = (await startUpstream(badResponse, tls as Server)).replace(/^http/, "https");
    const trusting = await startCommand(upstream, ["--fail-on", "request"], { NODE_EXTRA_CA_CERTS: CERTIFICATE });
    const response = await list(trusting, "?limit=0");
    await response.text();
    expect([response.status, await stop(trusting)]).toEqual([200, 1]);
    expect(trusting.output()).toContain("body.[redacted]  is unknown");
    const proxy = await watch({ upstream });
    expect((await list(proxy)).status).toBe(502);
    await proxy.close();
    const messages = proxy.entries.map(({ message }) => message);
    expect(messages).toEqual([expect.stringContaining("the upstream sent no response: self-signed certificate")]);
  });

  test("stops at once at the second signal", async () => {
    const upstream = createServer();
    const running = await startCommand(await startUpstream(() => {}, upstream));
    const response = fetch(running.url).catch(() => {});
    await once(upstream, "request"); // and there is never a response
    running.child.kill("SIGTERM");
    await running.printed(/stops at once/);
    await signalUntilEnded(running, "SIGTERM");
    expect(await running.ended).toBe(3);
    await response;
  });
});

/** `proxy | head -c 1`. */
test("a closed pipe neither ends the proxy nor changes its exit code", async () => {
  const upstream = "http://127.0.0.1:9"; // nothing listens there: each request leads to a reported violation
  const proxy = await startCommand(upstream, ["--fail-on", "both"]);
  proxy.child.stdout?.destroy();
  const send = () => list(proxy).then(({ status }) => status);
  expect([await send(), await send(), await send(), await send()]).toEqual([502, 502, 502, 502]);
  expect(await stop(proxy)).toBe(1);
});
