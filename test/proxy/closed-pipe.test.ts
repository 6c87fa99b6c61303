// A reader of the proxy's report that goes away: `proxy | head -c 1`.
import { beforeAll, expect, test } from "vitest";
import { CLI, run, stop } from "../support/command.js";
import { buildIfStale } from "../support/fresh-build.js";

beforeAll(buildIfStale);

test("a reader that has seen enough does not end the proxy, nor change what its exit code says", async () => {
  const upstream = "http://127.0.0.1:9"; // nobody is there: each request is a violation that is reported
  const proxy = run(process.execPath, [CLI, "proxy", "--upstream", upstream, "--port", "0", "--fail-on", "any"]);
  const [url] = await proxy.printed(/http:\/\/127\.0\.0\.1:(?!9\b)\d+/);
  proxy.child.stdout?.destroy();
  const ask = () => fetch(`${url}/v1/notifications?limit=0`).then(({ status }) => status);
  expect([await ask(), await ask(), await ask(), await ask()]).toEqual([502, 502, 502, 502]);
  expect(await stop(proxy)).toBe(1);
});
