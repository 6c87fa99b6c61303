// The options of startServer and startMock: what is invalid is rejected before anything is opened.
import { createContext, runInContext } from "node:vm";
import { describe, expect, onTestFinished, test } from "vitest";
import { ConfigError } from "../../src/core/options.js";
import { startMock } from "../../src/mock/mock-server.js";
import { parseDate } from "../../src/server/config.js";
import { type ServerOptions, startServer } from "../../src/start-server.js";

describe("startServer", () => {
  const rejected: [string, object, string][] = [
    ["an option that does not exist", { data: "x" }, "there is no option `data`. Expected one of port, host, apiKey,"],
    ["a misspelled one", { apikey: "x" }, "startServer: there is no option `apikey`. Did you mean `apiKey`?"],
    ["a seed that is no name", { seed: {} }, "startServer: `seed` must be a string, got object."],
    ["a switch that is a text", { watch: "no" }, "`watch` must be true or false, got string."],
    ["a port that is a text", { port: "4010" }, "`port` must be a number, got string."],
    ["a port that is no whole number", { port: 0.5 }, "The port must be a number from 0 to 65535; it is 0.5."],
    ["a port below 0", { port: -1 }, "The port must be a number from 0 to 65535; it is -1."],
    ["a port above 65535", { port: 65_536 }, "The port must be a number from 0 to 65535; it is 65536."],
    ["a `now` beyond the clock's years", { now: "9999-12-31T00:00:00Z" }, "`now` must be in the years 1000 to 8999."],
    ["no timestamp", { now: "2026-11-02" }, "RFC 3339 timestamp such as 2026-11-02T09:00:00Z; it is 2026-11-02."],
    ["a date beyond them", { now: new Date("9999-12-31T23:59:59Z") }, "`now` must be in the years 1000 to 8999."],
    ["a `now` that is no date", { now: new Date("x") }, "`now` must be a valid Date"],
    ["a `now` that is a number", { now: 5 }, "`now` must be a valid Date"],
    ["an empty control key", { controlKey: "" }, "it is empty. Set it in NC_CONTROL_KEY."],
    ["an API key with a blank", { apiKey: "a b" }, "without blanks; it has a blank. Set it in NC_API_KEY."],
    [
      "an API key that ends in a line break",
      { apiKey: "secret\n" },
      "without blanks; it ends in a line break. Set it in",
    ],
    ["a long API key", { apiKey: "k".repeat(256) }, "without blanks; it has 256 characters. Set it in NC_API_KEY."],
    ["the built-in key for others", { host: "128.0.0.1" }, "listens on this machine only, not on 128.0.0.1"],
    ["a plan that does not exist", { plan: "gold" }, "The plan must be one of free, pro"],
  ];
  test.each(rejected)("%s is rejected", async (_title, options, message) => {
    const starting = startServer(options as ServerOptions);
    await expect(starting).rejects.toThrow(ConfigError);
    await expect(starting).rejects.toThrow(message);
  });

  test.each(["127.0.0.2", "::1", "0:0:0:0:0:0:0:1"])("the host %s is this machine", async (host) => {
    const server = await startServer({ host, seed: "empty" });
    onTestFinished(server.close);
    const response = await fetch(`${server.url}/_control/ready`);
    expect(response.status).toBe(200);
  });

  test.each([
    ["a text", "2026-11-02T10:00:00+01:00"],
    ["a date", new Date("2026-11-02T09:00:00Z")],
    ["a date of another realm, as test runners make them", runInContext("new Date(1793610000000)", createContext())],
  ])("`now` may be %s", async (_title, now) => {
    const server = await startServer({ now, seed: "empty" });
    onTestFinished(server.close);
    const response = await fetch(`${server.url}/_control/environments/default/clock`);
    expect(await response.json()).toEqual({ mode: "frozen", now: "2026-11-02T09:00:00.000Z" });
  });
});

test("an option of the command line takes a timestamp alone", () => {
  expect(() => parseDate("--now", "x")).toThrow("`--now` must be an RFC 3339 timestamp such as");
});

test("startMock › an option that does not exist is rejected", async () => {
  const starting = startMock({ contractpath: "x" } as object);
  await expect(starting).rejects.toThrow(ConfigError);
  await expect(starting).rejects.toThrow("startMock: there is no option `contractpath`. Did you mean `contractPath`?");
});
