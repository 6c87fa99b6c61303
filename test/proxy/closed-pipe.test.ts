// A reader of the proxy's report that goes away: `proxy | head -c 1`.
import { expect, test } from "vitest";
import { CLI, run, stop } from "../support/command.js";

test("a closed pipe neither ends the proxy nor changes its exit code", async () => {
  const upstream = "http://127.0.0.1:9"; // nothing listens there: each request leads to a reported violation
  const proxy = run(process.execPath, [CLI, "proxy", "--upstream", upstream, "--port", "0", "--fail-on", "both"]);
  const [url] = await proxy.printed(/http:\/\/127\.0\.0\.1:(?!9\b)\d+/);
  proxy.child.stdout?.destroy();
  const send = () => fetch(`${url}/v1/notifications?limit=0`).then(({ status }) => status);
  expect([await send(), await send(), await send(), await send()]).toEqual([502, 502, 502, 502]);
  expect(await stop(proxy)).toBe(1);
});
